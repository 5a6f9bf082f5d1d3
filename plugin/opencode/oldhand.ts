// oldhand: hands OpenCode's events to `oldhand hook opencode`. Written by `oldhand install opencode`.
import { spawn } from "node:child_process"

const TIMEOUT_MS = { prompt: 5_000, other: 10_000 }

type Answer = {
  hookSpecificOutput?: {
    additionalContext?: string
    permissionDecision?: string
    permissionDecisionReason?: string
  }
}

// Memory must never be in the way: whatever goes wrong here is an empty answer.
function ask(cwd: string, payload: Record<string, unknown>, timeout: number): Promise<Answer> {
  return new Promise((resolve) => {
    try {
      const child = spawn("oldhand", ["hook", "opencode"], {
        cwd,
        timeout,
        stdio: ["pipe", "pipe", "ignore"],
      })
      let out = ""
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk))
      child.stdin.on("error", () => {})
      child.on("error", () => resolve({}))
      child.on("close", () => {
        try {
          resolve(out.trimStart().startsWith("{") ? (JSON.parse(out) as Answer) : {})
        } catch {
          resolve({})
        }
      })
      child.stdin.end(JSON.stringify({ cwd, ...payload }))
    } catch {
      resolve({})
    }
  })
}

export const Oldhand = async ({ directory }: { directory: string }) => {
  const context = new Map<string, string>()
  const open = new Set<Promise<Answer>>()
  const hook = (
    hook_event_name: string,
    session_id: string,
    more: Record<string, unknown> = {},
    timeout = TIMEOUT_MS.other,
  ) => {
    const answer = ask(directory, { hook_event_name, session_id, ...more }, timeout)
    open.add(answer)
    return answer.finally(() => open.delete(answer))
  }

  // What a session begins with is said once, in front of every request of that session.
  const begin = async (session: string, source: string) => {
    const answer = await hook("SessionStart", session, { source })
    context.set(session, answer.hookSpecificOutput?.additionalContext ?? "")
  }

  return {
    // OpenCode ends right after a session is idle: what was asked then is waited for.
    dispose: async () => {
      await Promise.allSettled([...open])
    },
    event: async ({ event }: { event: { type: string; properties?: any } }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id
      if (typeof session !== "string") return
      if (event.type === "session.idle") await hook("Stop", session, { stop_hook_active: false })
      if (event.type === "session.compacted") await begin(session, "compact")
      if (event.type === "session.deleted") {
        context.delete(session)
        await hook("SessionEnd", session, { reason: "other" })
      }
    },
    "chat.message": async (
      input: { sessionID: string; messageID?: string },
      output: { message: { id: string }; parts: any[] },
    ) => {
      if (!context.has(input.sessionID)) await begin(input.sessionID, "startup")
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      const prompt = texts.map((part) => part.text).join("\n")
      if (!prompt) return
      const answer = await hook("UserPromptSubmit", input.sessionID, { prompt }, TIMEOUT_MS.prompt)
      const text = answer.hookSpecificOutput?.additionalContext
      if (!text) return
      output.parts.push({
        id: `prt_oldhand${Date.now().toString(36)}`,
        sessionID: input.sessionID,
        messageID: output.message.id,
        type: "text",
        text,
        synthetic: true,
      })
    },
    "experimental.chat.system.transform": async (
      input: { sessionID?: string },
      output: { system: string[] },
    ) => {
      const text = input.sessionID ? context.get(input.sessionID) : undefined
      if (text) output.system.push(text)
    },
    "tool.execute.before": async (
      input: { tool: string; sessionID: string; callID: string },
      output: { args: any },
    ) => {
      if (!["write", "edit", "patch", "multiedit", "bash"].includes(input.tool)) return
      const answer = await hook("PreToolUse", input.sessionID, {
        tool_name: input.tool,
        tool_input: output.args,
        tool_use_id: input.callID,
      })
      const said = answer.hookSpecificOutput
      if (said?.permissionDecision === "deny") {
        throw new Error(said.permissionDecisionReason ?? "refused by oldhand")
      }
    },
    "experimental.session.compacting": async (input: { sessionID: string }) => {
      await hook("PreCompact", input.sessionID, { trigger: "auto" })
    },
  }
}
