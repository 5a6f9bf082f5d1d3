// The official conformance suite. It tries SDKs, by way of a server made for it; what holds for every server
// is tried here, and the rest is listed with the reason. It knows no tokens: a small proxy adds ours.
//
// usage: conformance.mjs BINARY http

import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';

import { Wrong, expect, main, ok, play, same } from '../scene.mjs';

const PROGRAM = path.join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

const TRIED = [
  'server-initialize',
  'ping',
  'completion-complete',
  'tools-list',
  'server-sse-multiple-streams',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

/** Reason, and the scenarios that it keeps out. */
const LEFT_OUT = {
  'calls a tool that only the suite’s own server has': [
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
    'tools-call-with-progress',
    'json-schema-2020-12',
    'server-sse-polling',
  ],
  'reads a resource that only the suite’s own server has': [
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
  ],
  'gets a prompt that only the suite’s own server has': [
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
  'needs logging, which is deprecated and not offered': ['logging-set-level', 'tools-call-with-logging'],
  'needs subscriptions, which are not offered': ['resources-subscribe', 'resources-unsubscribe'],
  'needs a server that asks its client for something': [
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
  ],
};

function run(scene, ...words) {
  const options = { cwd: scene.folder, env: scene.environment, timeout: 60_000 };
  return new Promise((resolve, reject) => {
    // Not waited for on this thread: the proxy works here meanwhile.
    const child = spawn(process.execPath, [PROGRAM, ...words], options);
    let said = '';
    child.stdout.on('data', (data) => (said += data));
    child.stderr.on('data', (data) => (said += data));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, said }));
  });
}

/** Hands everything on as it came, names of host and origin too, with the token beside it. */
function open(target) {
  const { hostname, port } = new URL(target.address);
  const proxy = http.createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${target.token}` };
    const { method, url } = request;
    const onward = http.request({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  return new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(proxy)));
}

/** A new release of the suite must not bring scenarios that nobody looked at. */
async function sorted(scene) {
  const { said } = await run(scene, 'list', '--server');
  const offered = [...said.matchAll(/^ +- (\S+)/gm)].map((found) => found[1]).sort();
  const known = [...TRIED, ...Object.values(LEFT_OUT).flat()].sort();
  same('every scenario is tried or has a reason', known, offered);
}

async function attempt(scene, address, scenario) {
  const results = path.join(scene.top, 'results', scenario);
  const { said } = await run(scene, 'server', '--url', address, '--scenario', scenario, '--output-dir', results);
  const files = readdirSync(results, { recursive: true }).filter((file) => file.endsWith('checks.json'));
  const checks = files.flatMap((file) => JSON.parse(readFileSync(path.join(results, file), 'utf8')));
  const bad = checks.filter(({ status }) => !['SUCCESS', 'INFO', 'SKIPPED'].includes(status));
  const isGood = bad.length === 0 && checks.some(({ status }) => status === 'SUCCESS');
  expect(scenario, isGood, 'SUCCESS of every check', bad.length ? bad : said);
}

await main(async () => {
  const [binary, transport] = process.argv.slice(2);
  if (!binary || transport !== 'http') throw new Wrong('usage: conformance.mjs BINARY http');
  console.log('== conformance, http');
  await play(binary, 'conformance-', async (scene) => {
    await sorted(scene);
    const proxy = await open(await scene.serve());
    const address = `http://127.0.0.1:${proxy.address().port}/mcp`;
    try {
      for (const scenario of TRIED) await attempt(scene, address, scenario);
    } finally {
      proxy.close();
      proxy.closeAllConnections();
    }
  });
  for (const [reason, scenarios] of Object.entries(LEFT_OUT)) {
    console.log(`left out, ${reason}: ${scenarios.join(', ')}`);
  }
  ok('conformance');
});
