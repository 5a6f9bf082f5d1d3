// The command line of the MCP inspector, which many use for a first look at a server: one process per request.
//
// usage: inspector.mjs BINARY stdio|http [legacy|modern …]

import { spawn } from 'node:child_process';
import path from 'node:path';

import { Wrong, expect, main, play, same, shown } from '../scene.mjs';

const PROGRAM = path.join(
  import.meta.dirname, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
const TOOLS = ['recall', 'remember', 'check', 'feedback', 'resume', 'review'];

class Inspector {
  constructor(scene, target, era) {
    this.scene = scene;
    const server = target.address
      ? ['--server-url', target.address, '--transport', 'http', '--header', `Authorization: Bearer ${target.token}`]
      : [scene.binary, 'mcp', '--cwd', scene.folder, '-e', `HOME=${scene.environment.HOME}`];
    this.words = [PROGRAM, '--cli', ...server, '--protocol-era', era, '--stored-auth-only', '--format', 'json'];
  }

  /** What it prints, and how it ends. */
  run(method, ...words) {
    const all = [...this.words, '--method', method, ...words];
    const { folder, environment } = this.scene;
    return new Promise((resolve, reject) => {
      // Not waited for on this thread: a server beside us is heard meanwhile.
      const child = spawn(process.execPath, all, { cwd: folder, env: environment, timeout: 60_000 });
      const said = { stdout: '', stderr: '' };
      child.stdout.on('data', (data) => (said.stdout += data));
      child.stderr.on('data', (data) => (said.stderr += data));
      child.on('error', reject);
      child.on('close', (status) => resolve({ status, ...said }));
    });
  }

  async ask(method, ...words) {
    const done = await this.run(method, ...words);
    if (done.status !== 0) {
      throw new Wrong(`${method} ${words.join(' ')}\n  expected: exit 0\n  came:     ${shown(done)}`);
    }
    return JSON.parse(done.stdout).result;
  }

  call(tool, args) {
    return this.ask('tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args));
  }
}

async function look(inspector) {
  // Strict: schemas that some hosts can't read are an error.
  const { tools } = await inspector.ask('tools/list', '--strict');
  same('tools/list', TOOLS, tools.map((tool) => tool.name));
  const title = 'Use PostgreSQL for storage';
  const kept = await inspector.call('remember', { kind: 'decision', title, text: `${title}: transactions.` });
  same('tools/call remember', 'use-postgresql-for-storage', kept.structuredContent?.id);
  const found = await inspector.call('recall', { query: 'which database is the storage' });
  const { memories = [] } = found.structuredContent ?? {};
  const isFound = memories.some(({ id }) => id === 'use-postgresql-for-storage');
  expect('tools/call recall', isFound, 'the decision', found);
  const { resources } = await inspector.ask('resources/list');
  expect('resources/list', resources.some(({ uri }) => uri.startsWith('oldhand://memory/')), 'memories', resources);
  const uri = 'oldhand://memory/use-postgresql-for-storage';
  const { contents } = await inspector.ask('resources/read', '--uri', uri);
  expect('resources/read', contents[0]?.text?.includes(title), title, contents);
  const { resourceTemplates } = await inspector.ask('resources/templates/list');
  same('resources/templates/list', ['oldhand://memory/{id}'], resourceTemplates.map((one) => one.uriTemplate));
  const { prompts } = await inspector.ask('prompts/list');
  same('prompts/list', ['resume', 'compact', 'review'], prompts.map((prompt) => prompt.name));
  const words = ['--prompt-name', 'resume', '--prompt-args', 'task=storage'];
  const { messages } = await inspector.ask('prompts/get', ...words);
  expect('prompts/get', messages[0]?.content?.text?.includes('storage'), 'a text about the task', messages);
  await stumble(inspector);
}

/** What is wrong is said in the server's words, not in those of a validator. */
async function stumble(inspector) {
  const clash = JSON.stringify({ kind: 'decision', title: 'Use MySQL for storage', text: 'Use MySQL for storage.' });
  const stopped = await inspector.run('tools/call', '--tool-name', 'remember', '--tool-args-json', clash);
  const said = `${stopped.stdout}${stopped.stderr}`;
  const isTold = stopped.status !== 0 && said.includes('CONFLICT') && said.includes('use-postgresql-for-storage');
  expect('a clash is told', isTold, 'a failure with CONFLICT and the decision', stopped);
  const nothing = await inspector.run('resources/read', '--uri', 'oldhand://memory/nothing-at-all');
  const isNamed = nothing.status !== 0 && `${nothing.stdout}${nothing.stderr}`.includes('nothing-at-all');
  expect('an unknown resource is named', isNamed, 'a failure with its name', nothing);
}

await main(async () => {
  const [binary, transport, ...eras] = process.argv.slice(2);
  if (!binary || !['stdio', 'http'].includes(transport)) {
    throw new Wrong('usage: inspector.mjs BINARY stdio|http [legacy|modern …]');
  }
  for (const era of eras.length ? eras : ['legacy', 'modern']) {
    console.log(`== inspector, ${transport}, ${era}`);
    await play(binary, 'inspector-', async (scene) => {
      const target = transport === 'http' ? await scene.serve() : scene;
      await look(new Inspector(scene, target, era));
    });
  }
});
