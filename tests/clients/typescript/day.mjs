// A day of an agent, through the official TypeScript packages and nothing else.
//
// usage: day.mjs BINARY stdio|http [VERSION …]

import { readFileSync } from 'node:fs';
import path from 'node:path';

import { SEEDED, Wrong, expect, main, ok, play, same, shown } from '../scene.mjs';
import { SESSIONS, STATELESS, connect } from './connect.mjs';

const TOOLS = ['recall', 'remember', 'check', 'feedback', 'resume', 'review'];
const DECIDED = 'use-postgresql-for-storage';
const ODD = 'Line one\nline two, a quote " and a separator \u2028, größer als 数据库 🐘';

const textOf = (result) =>
  (result.content ?? []).filter((block) => block.type === 'text').map((block) => block.text).join('\n');

const idsOf = (answer) => answer.memories.map((memory) => memory.id);

class Day {
  constructor(client, generation, version) {
    this.client = client;
    this.generation = generation;
    this.version = version;
    this.isStructured = version >= '2025-06-18';
  }

  /** A call that has to work; the SDK holds the answer against the output schema. */
  async call(tool, args = {}) {
    const result = await this.client.callTool({ name: tool, arguments: args });
    const isWhole = !result.isError && textOf(result);
    if (!isWhole || this.isStructured !== (result.structuredContent !== undefined)) {
      const wanted = `an answer with a text, structured: ${this.isStructured}`;
      throw new Wrong(`${tool} ${shown(args)}\n  expected: ${wanted}\n  came:     ${shown(result)}`);
    }
    return [result.structuredContent, textOf(result)];
  }

  /** A call that has to come back as the tool's own mistake, in these words. */
  async fails(what, tool, args, ...words) {
    const result = await this.client.callTool({ name: tool, arguments: args });
    const said = textOf(result).toLowerCase();
    const holds = result.isError && words.every((word) => said.includes(word.toLowerCase()));
    expect(what, holds, `isError with ${words.join(', ')}`, result);
    return result.structuredContent;
  }

  /** A request that the protocol itself refuses. */
  async refused(what, code, request) {
    let came;
    try {
      came = await request();
    } catch (error) {
      expect(what, error.code === code, `error ${code}`, { code: error.code, message: error.message });
      return;
    }
    throw new Wrong(`${what}\n  expected: error ${code}\n  came:     ${shown(came)}`);
  }

  async whole() {
    await this.greet();
    await this.listTools();
    await this.remember();
    await this.recall();
    await this.pageIndex();
    await this.check();
    await this.clash();
    await this.judge();
    await this.resources();
    await this.prompts();
    await this.mistakes();
    await this.crowd();
    await this.giveUp();
  }

  async greet() {
    same("the server's name", 'oldhand', this.client.getServerVersion()?.name);
    const instructions = this.client.getInstructions() ?? '';
    expect('instructions', instructions.includes('resume'), 'a word about resume', instructions);
    const offered = Object.keys(this.client.getServerCapabilities() ?? {}).sort();
    same('capabilities', ['completions', 'prompts', 'resources', 'tools'], offered);
    // The newest protocol has no ping.
    if (this.version < STATELESS) same('ping', {}, await this.client.ping());
  }

  async listTools() {
    const { tools } = await this.client.listTools();
    same('six tools in their order', TOOLS, tools.map((tool) => tool.name));
    for (const tool of tools) {
      const isWhole = tool.description && tool.annotations && tool.inputSchema.type === 'object';
      if (!isWhole || this.isStructured !== (tool.outputSchema !== undefined)) {
        throw new Wrong(`${tool.name}\n  expected: schemas and annotations\n  came:     ${shown(tool)}`);
      }
    }
    ok('every tool has its schemas and annotations');
    const reading = tools.filter((tool) => tool.annotations.readOnlyHint).map((tool) => tool.name);
    same('the tools that only read', ['recall', 'check', 'resume'], reading);
  }

  async remember() {
    let [answer, text] = await this.call('resume');
    expect('resume', !answer || answer.text, 'a text', text);
    [answer, text] = await this.call('remember', {
      kind: 'decision',
      title: 'Use PostgreSQL for storage',
      text: 'Use PostgreSQL for storage, because we need transactions.',
    });
    const isNew = !answer || (answer.action === 'created' && answer.id === DECIDED);
    expect('remember a decision in words', isNew && text.includes(DECIDED), DECIDED, [answer, text]);
    const content = { decision: 'Amounts are integers, in cents', rationale: ['Floats lose cents'] };
    [answer, text] = await this.call('remember', { kind: 'decision', title: 'Count money in cents', content });
    const isKept = text.includes('count-money-in-cents') && (!answer || answer.action === 'created');
    expect('remember a decision by its fields', isKept, 'count-money-in-cents', [answer, text]);
    [, text] = await this.call('remember', { kind: 'reference', title: 'Odd letters', text: ODD });
    expect('remember odd letters', text.includes('odd-letters'), 'odd-letters', text);
  }

  async recall() {
    let [answer, text] = await this.call('recall', { query: 'which database do we use for storage' });
    let found = answer ? idsOf(answer) : text;
    const isFound = found.includes(DECIDED) && text.includes('transactions');
    expect('recall by a question', isFound, DECIDED, [found, text]);
    const ids = [DECIDED, 'odd-letters'];
    [answer, text] = await this.call('recall', { ids });
    found = answer ? idsOf(answer) : ids;
    same('recall by ids', ids, found);
    expect('odd letters come back', text.includes('größer als 数据库 🐘'), ODD, text);
  }

  async pageIndex() {
    if (!this.isStructured) {
      const [, text] = await this.call('recall', { level: 'index' });
      expect('the index', text.includes('seeded-fact-'), 'ids', text);
      return;
    }
    const seen = [];
    let [cursor, pages] = [undefined, 0];
    do {
      const [answer] = await this.call('recall', { level: 'index', budget: 500, ...(cursor && { cursor }) });
      seen.push(...idsOf(answer));
      cursor = answer.next;
      pages += 1;
    } while (cursor !== undefined && pages < 100);
    const isWhole = pages > 1 && seen.length === SEEDED + 3 && new Set(seen).size === seen.length;
    expect(`the index in ${pages} pages`, isWhole, `${SEEDED + 3} ids, each once, in pages`, seen.length);
  }

  async check() {
    let [answer, text] = await this.call('check', { proposal: 'Write the release notes in French' });
    expect('check what is clear', !answer || answer.verdict === 'clear', 'clear', answer ?? text);
    [answer, text] = await this.call('check', { proposal: 'Use MySQL' });
    const clashes = text.includes(DECIDED) && (!answer || answer.verdict === 'conflict');
    expect('check what clashes', clashes, `a conflict with ${DECIDED}`, answer ?? text);
    if (!answer) return;
    same('the conflict names the decision', [DECIDED], answer.conflicts.map((conflict) => conflict.id));
  }

  async clash() {
    const args = { kind: 'decision', title: 'Use MySQL for storage', text: 'Use MySQL for storage.' };
    const said = await this.fails('a clash is stopped', 'remember', args, 'conflict', DECIDED);
    if (this.isStructured) same('the clash as data', 'CONFLICT', said?.code);
    const [answer, text] = await this.call('review');
    const waits = text.includes('use-mysql-for-storage') && (!answer || answer.waiting.length === 1);
    expect('the clash waits for a person', waits, 'use-mysql-for-storage', answer ?? text);
  }

  async judge() {
    const [found] = await this.call('recall', { ids: [DECIDED] });
    const before = found?.memories[0].trust;
    const args = { id: DECIDED, effect: 'positive', note: 'it held', task: 'T-1' };
    const [answer, text] = await this.call('feedback', args);
    const rises = answer ? answer.id === DECIDED && answer.trust > before : text.includes(DECIDED);
    expect('trust rises with feedback', rises, `more than ${before}`, answer ?? text);
  }

  async resources() {
    const { client } = this;
    const seen = await this.listResources();
    const others = seen.filter((uri) => !uri.startsWith('oldhand://memory/'));
    const isWhole = seen.length - others.length === SEEDED + 3 && new Set(seen).size === seen.length;
    expect('resources to the last page', isWhole, `${SEEDED + 3} memories, each once`, seen.length);
    for (const uri of [`oldhand://memory/${DECIDED}`, ...others]) {
      const [document] = (await client.readResource({ uri })).contents;
      const isRead = document?.uri === uri && document.text && document.mimeType;
      expect(`read ${uri}`, isRead, uri, document);
    }
    const { resourceTemplates } = await client.listResourceTemplates();
    const templates = resourceTemplates.map((one) => one.uriTemplate);
    expect('templates', templates.includes('oldhand://memory/{id}'), 'oldhand://memory/{id}', templates);
    const ref = { type: 'ref/resource', uri: 'oldhand://memory/{id}' };
    const { completion } = await client.complete({ ref, argument: { name: 'id', value: 'use-p' } });
    same('completion of an id', [DECIDED], completion.values);
    // Older clients know the second code, newer ones the first.
    const code = this.version >= STATELESS ? -32602 : -32002;
    const nothing = { uri: 'oldhand://memory/nothing-at-all' };
    await this.refused('an unknown resource', code, () => client.readResource(nothing));
    await this.refused('an unknown cursor', -32602, () => client.listResources({ cursor: 'none-of-ours' }));
  }

  /** The new package walks the pages itself, and then there is no cursor left. */
  async listResources() {
    const seen = [];
    let cursor;
    do {
      const page = await this.client.listResources(cursor === undefined ? undefined : { cursor });
      seen.push(...page.resources.map((resource) => resource.uri));
      cursor = page.nextCursor;
    } while (cursor !== undefined && seen.length < 10_000);
    return seen;
  }

  async prompts() {
    const { prompts } = await this.client.listPrompts();
    same('three prompts', ['resume', 'compact', 'review'], prompts.map((prompt) => prompt.name));
    // What has to stand in the text, beside a text at all.
    const given = [
      ['resume', { task: 'Move the storage' }, 'Move the storage'],
      ['compact', { focus: 'the storage' }, 'the storage'],
      ['review', {}, 'MySQL'],
    ];
    for (const [name, args, word] of given) {
      const { messages } = await this.client.getPrompt({ name, arguments: args });
      const isWhole = messages[0]?.role === 'user' && messages[0].content.text?.includes(word);
      expect(`prompt ${name}`, isWhole, `a text of the user with ${word}`, messages);
    }
    await this.refused('an unknown prompt', -32602, () => this.client.getPrompt({ name: 'nothing' }));
    const ref = { type: 'ref/prompt', name: 'resume' };
    const { completion } = await this.client.complete({ ref, argument: { name: 'task', value: 'x' } });
    same("completion of a prompt's argument", [], completion.values);
  }

  async mistakes() {
    await this.refused('an unknown tool', -32602, () => this.client.callTool({ name: 'nothing', arguments: {} }));
    await this.fails('a missing argument', 'check', {}, 'proposal');
    await this.fails('a wrong choice', 'feedback', { id: DECIDED, effect: 'great' }, 'effect', 'positive');
    await this.fails('a wrong type', 'recall', { query: 'storage', budget: 'lots' }, 'budget');
    await this.fails('an unknown argument', 'recall', { question: 'storage' }, 'question');
    const args = { id: 'nothing-at-all', effect: 'positive', task: 'T-1' };
    await this.fails('an unknown memory', 'feedback', args, 'nothing-at-all');
  }

  /** Answers find the ones who asked, also when many ask at once. */
  async crowd() {
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    const asked = numbers.map((number) => this.call('recall', { ids: [`seeded-fact-${number}`] }));
    const texts = (await Promise.all(asked)).map(([, text]) => text);
    const holds = texts.every((text, number) => text.includes(`colour ${number}.`));
    expect('twenty calls at once', holds, 'each its own memory', texts);
  }

  /** One who no longer waits, or who wants to follow, disturbs nobody. */
  async giveUp() {
    const ask = (query, options) => {
      const params = { name: 'recall', arguments: { query } };
      // The old package has a schema between the two.
      return this.generation === 'sdk'
        ? this.client.callTool(params, undefined, options)
        : this.client.callTool(params, options);
    };
    const stop = new AbortController();
    const asked = ask('the colour of part 7', { signal: stop.signal }).then(() => 'answered', () => 'given up');
    await new Promise((resolve) => setTimeout(resolve, 2));
    stop.abort();
    await asked;
    const heard = [];
    const result = await ask('which database', { onprogress: (progress) => heard.push(progress) });
    expect('after a call that was given up', textOf(result).includes(DECIDED), DECIDED, [result, heard]);
  }
}

/** What the day left in the store, seen from the command line. */
function lookBehind(scene, name) {
  const me = `mcp:${name}`;
  for (const id of [DECIDED, 'count-money-in-cents']) {
    const { events } = JSON.parse(scene.cli('history', id, '--json'));
    same(`history of ${id} names the client`, [me], [...new Set(events.map((event) => event.by))]);
  }
  const { pending } = JSON.parse(scene.cli('pending', '--json'));
  same('what waits names the client', [me], pending.map((one) => one.by));
  const kept = readFileSync(path.join(scene.folder, '.oldhand/reference/odd-letters.md'), 'utf8');
  expect('the file has every letter', kept.includes(ODD), ODD, kept);
  scene.cli('doctor');
  ok('the store is sound');
}

async function live(scene, transport, generation, version) {
  const name = `day-typescript-${generation}`;
  const target = transport === 'http' ? await scene.serve() : scene;
  if (target.address) {
    const wrong = { ...target, token: 'wrong' };
    const refusal = await connect(generation, version, name, wrong).then(() => 'connected', (error) => error);
    // Each generation keeps the status elsewhere.
    same('a wrong token is refused', 401, refusal.status ?? refusal.code);
  }
  const { client, spoken } = await connect(generation, version, name, target);
  try {
    same('version', version, spoken());
    await new Day(client, generation, version).whole();
  } finally {
    await client.close();
  }
  lookBehind(scene, name);
}

await main(async () => {
  const [binary, transport, ...versions] = process.argv.slice(2);
  if (!binary || !['stdio', 'http'].includes(transport)) {
    throw new Wrong('usage: day.mjs BINARY stdio|http [VERSION …]');
  }
  for (const [generation, version] of SESSIONS) {
    if (versions.length && !versions.includes(version)) continue;
    console.log(`== typescript ${generation}, ${transport}, ${version}`);
    await play(binary, 'day-', (scene) => live(scene, transport, generation, version));
  }
});
