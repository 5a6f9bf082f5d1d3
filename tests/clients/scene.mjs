// What a session needs around it: a repository with a store, a server, and words for what went wrong.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';

export const SEEDED = 90;

/** A step that did not come out as expected. */
export class Wrong extends Error {}

export function ok(what) {
  console.log(`ok ${what}`);
}

/** One step: said when it holds, the end of the session when not. */
export function expect(what, holds, expected, came) {
  if (!holds) throw new Wrong(`${what}\n  expected: ${shown(expected)}\n  came:     ${shown(came)}`);
  ok(what);
}

export function same(what, expected, came) {
  expect(what, isDeepStrictEqual(expected, came), expected, came);
}

export function shown(value) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.length < 2000 ? text : `${text.slice(0, 2000)}…`;
}

/** A scratch repository with a store of its own, and a home that is nobody's. */
export class Scene {
  constructor(binary, prefix) {
    this.binary = path.resolve(binary);
    this.top = realpathSync(mkdtempSync(path.join(tmpdir(), prefix)));
    this.folder = path.join(this.top, 'project');
    this.tokenFile = path.join(this.top, 'token');
    const home = path.join(this.top, 'home');
    mkdirSync(home);
    mkdirSync(this.folder);
    // Nothing of the one who runs this may be seen: no settings, no agent around it.
    this.environment = { HOME: home, PATH: process.env.PATH };
    this.run('git', 'init', '--quiet');
    this.cli('init');
    this.seed();
  }

  run(program, ...words) {
    const options = { cwd: this.folder, env: this.environment, encoding: 'utf8', timeout: 60_000 };
    const done = spawnSync(program, words, options);
    if (done.status !== 0) {
      const said = `${done.stdout ?? ''}${done.stderr ?? ''}${done.error ?? ''}`;
      throw new Wrong(`\`${program} ${words.join(' ')}\` ended with ${done.status}\n${said}`);
    }
    return done.stdout;
  }

  cli(...words) {
    return this.run(this.binary, ...words);
  }

  /** More memories than one page holds, and fewer than a kind may have. */
  seed() {
    const folder = path.join(this.top, 'seeds');
    mkdirSync(folder);
    for (let number = 0; number < SEEDED; number += 1) {
      const text =
        `---\nid: seeded-fact-${number}\ntype: reference\ntitle: Seeded fact ${number}\n` +
        'state: stable\nscope: project\ntags: [seeded]\norigin: user\n' +
        'created_at: 2026-01-01T12:00:00Z\nupdated_at: 2026-01-01T12:00:00Z\n---\n\n' +
        `Part ${number} of the machine is painted in colour ${number}.\n`;
      writeFileSync(path.join(folder, `seeded-fact-${number}.md`), text);
    }
    this.cli('import', folder);
    this.cli('doctor');
  }

  /** Starts the server over HTTP and gives its address and its token. */
  async serve() {
    const words = ['mcp', '--http', '127.0.0.1:0', '--token-file', this.tokenFile];
    const stdio = ['ignore', 'ignore', 'pipe'];
    this.server = spawn(this.binary, words, { cwd: this.folder, env: this.environment, stdio });
    // One that says nothing is not waited for.
    const silence = setTimeout(() => this.server.kill(), 20_000);
    const said = [];
    const address = await new Promise((resolve) => {
      const lines = createInterface({ input: this.server.stderr });
      // Reading goes on to the end: a pipe that nobody reads fills up, and then the server waits.
      lines.on('line', (line) => {
        said.push(line);
        const found = /127\.0\.0\.1:(\d+)/.exec(line);
        if (found) resolve(`http://127.0.0.1:${found[1]}/mcp`);
      });
      lines.on('close', () => resolve(undefined));
    });
    clearTimeout(silence);
    if (!address) throw new Wrong(`the server said no address: ${said.join('\n')}`);
    return { address, token: readFileSync(this.tokenFile, 'utf8').trim() };
  }

  async end() {
    if (this.server && this.server.exitCode === null) {
      const gone = new Promise((resolve) => this.server.once('exit', resolve));
      this.server.kill();
      await gone;
    }
    rmSync(this.top, { recursive: true, force: true });
  }
}

/** Plays `session` in a scene of its own and cleans up, however it ends. */
export async function play(binary, prefix, session) {
  const scene = new Scene(binary, prefix);
  try {
    await session(scene);
  } finally {
    await scene.end();
  }
}

/** The whole of a script: what went wrong is said, and the exit code tells it. */
export async function main(run) {
  try {
    await run();
    process.exitCode = 0;
  } catch (error) {
    console.log(error instanceof Wrong ? `FAILED ${error.message}` : `FAILED ${error.stack ?? error}`);
    process.exitCode = 1;
  }
}
