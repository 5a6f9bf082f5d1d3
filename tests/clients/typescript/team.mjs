// A short session with a team server, through both generations of the official TypeScript SDK.
//
// usage: team.mjs BINARY team

import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

import { Wrong, expect, main, same } from '../scene.mjs';
import { SESSIONS, connect } from './connect.mjs';

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

/** The server with a database of its own; gives its process, its address and a token. */
async function start(binary) {
  const words = ['serve', '--dev', '--listen', `127.0.0.1:${await freePort()}`];
  const server = spawn(binary, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let token;
  for await (const line of createInterface({ input: server.stdout })) {
    const [word, said] = line.trim().split(/\s+/);
    if (word === 'token') token = said;
    if (word === 'MCP') return { server, address: said, token };
  }
  throw new Wrong('the server ended before it said its address');
}

async function session(generation, version, target) {
  const name = `team-typescript-${generation}`;
  const wrong = { ...target, token: 'oht_wrong' };
  const refusal = await connect(generation, version, name, wrong).then(() => 'connected', (error) => error);
  same('a wrong token is refused', 401, refusal.status ?? refusal.code);
  const { client } = await connect(generation, version, name, target);
  const call = async (tool, given) => {
    const result = await client.callTool({ name: tool, arguments: given });
    expect(`${tool} works`, !result.isError, 'an answer', result);
    return result.structuredContent;
  };
  try {
    const found = await call('recall', { query: 'how do we keep money?' });
    same('the store is asked', 'keep-money-in-integer-cents', found.memories[0].id);
    const port = generation === 'sdk' ? 7311 : 8422;
    const text = `The scanner of hall ${port} listens on port ${port}`;
    const kept = await call('remember', { text, kind: 'reference' });
    same('it is remembered', 'created', kept.action);
    const again = await call('recall', { query: `where does the scanner of hall ${port} listen?` });
    expect('and found at once', again.memories.some((it) => it.id === kept.id), kept.id, again);
  } finally {
    await client.close();
  }
}

await main(async () => {
  const [binary] = process.argv.slice(2);
  const { server, ...target } = await start(binary);
  try {
    // The newest that each generation speaks.
    for (const [generation, version] of [SESSIONS[1], SESSIONS[3]]) {
      console.log(`== typescript ${generation}, team, ${version}`);
      await session(generation, version, target);
    }
  } finally {
    const gone = new Promise((resolve) => server.once('exit', resolve));
    server.kill();
    await gone;
  }
});
