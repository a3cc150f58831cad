import 'reflect-metadata';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wholeNumber } from '../../scripts/whole-number.ts';
import { untilDone } from '../simulation/world/until-done.ts';
import { createWorld } from '../simulation/world/world.ts';
import { findDifferences } from '../support/find-differences.ts';
import { type ModelStep, RELATION, stepKey } from './behaviours.ts';
import { readTrace } from './itf.ts';
import { createPlayer } from './play-trace.ts';
import type { ModelState } from './played.ts';

const QUINT = 'dist/tools/quint/node_modules/@informalsystems/quint/dist/src/cli.js';
const MODEL = process.env.MODEL ?? 'test/model/gateway.qnt';
const INTO = process.env.INTO ?? 'dist/model';
const STEPS = 30;
/** Worlds grow with the traces that were played in them, and slow down. */
const TRACES_IN_A_WORLD = 25;
const MOST = 1_000_000;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Runs Quint, which says what it has found; throws where it ends with an error, as after a broken promise. */
const quint = (args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [QUINT, 'run', ...args, MODEL], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`the model breaks a promise:\n${stdout}${stderr}`);
  return stdout;
};

/** The relation of the model, as the program that checks recorded events reads it. */
const relationOfModel = (): string => {
  const file = join(INTO, 'relation.itf.json');
  quint(['--main=relation', '--max-samples=1', '--max-steps=0', '--verbosity=0', `--out-itf=${file}`]);
  const [state] = readTrace<{ readonly steps: readonly ModelStep[] }>(file);
  const steps = (state?.steps ?? [])
    .map((step) => ({ ...step, events: [...step.events].sort() }))
    .sort((a, b) => (stepKey(a) < stepKey(b) ? -1 : 1));
  return steps.map((step) => `${JSON.stringify(step)}\n`).join('');
};

const checkPromises = (samples: number, seed: number): void => {
  const startedAt = Date.now();
  for (const main of ['gateway', 'cycle'])
    quint([
      `--main=${main}`,
      '--invariant=promises',
      `--max-samples=${samples}`,
      `--max-steps=${STEPS}`,
      `--seed=${seed}`,
      '--verbosity=1',
    ]);
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  say(`${samples} traces of the model keep every promise (${seconds} s)`);
};

const tracesOfModel = (count: number, seed: number): readonly (readonly ModelState[])[] => {
  const folder = join(INTO, 'traces');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  quint([
    '--main=gateway',
    `--max-samples=${count}`,
    `--n-traces=${count}`,
    `--max-steps=${STEPS}`,
    `--seed=${seed}`,
    '--verbosity=0',
    `--out-itf=${join(folder, '{seq}.itf.json')}`,
  ]);
  return readdirSync(folder).map((name) => readTrace<ModelState>(join(folder, name)));
};

/** Plays traces in one world, and then lets weeks pass, after which everything has to agree. */
const playTogether = async (
  traces: readonly (readonly ModelState[])[],
  seed: number,
): Promise<readonly string[]> => {
  // A request that is held at a step is not given up, however much time passes there.
  const world = await createWorld(seed, { commandTimeoutMs: 1e12 });
  try {
    const play = await createPlayer(world);
    for (const trace of traces) {
      const difference = await play(trace);
      if (difference !== null) {
        if (process.env.LOG) writeFileSync(process.env.LOG, `${world.log.tail().join('\n')}\n`);
        return [
          difference,
          `the trace: ${trace.map(({ did }) => Object.values(did).join(' ').trim()).join('; ')}`,
        ];
      }
    }
    for (const days of [1, 3, 40]) {
      world.scheduler.leap(days * 86_400_000);
      await world.scheduler.pass(10_000);
    }
    return untilDone(world, () => findDifferences(world));
  } finally {
    world.end();
  }
};

/** `make model`, with TRACES, PLAYED and SEED: checks the model, and plays its traces to the program. */
const main = async (): Promise<void> => {
  const seed = wholeNumber('SEED', 1, MOST);
  const samples = wholeNumber('TRACES', 500, MOST);
  const played = wholeNumber('PLAYED', 100, MOST);
  mkdirSync(INTO, { recursive: true });
  checkPromises(samples, seed);
  const traces = tracesOfModel(played, seed);
  const startedAt = Date.now();
  for (let place = 0; place < traces.length; place += TRACES_IN_A_WORLD) {
    const problems = await playTogether(traces.slice(place, place + TRACES_IN_A_WORLD), seed + place);
    for (const problem of problems) say(`the program differs from the model: ${problem}`);
    if (problems.length === 0) continue;
    process.exitCode = 1;
    return;
  }
  say(
    `${traces.length} of them were played to the program (${((Date.now() - startedAt) / 1_000).toFixed(1)} s)`,
  );
  const relation = relationOfModel();
  if (process.env.WRITE) writeFileSync(RELATION, relation);
  if (readFileSync(RELATION, 'utf8') !== relation)
    throw new Error(`${RELATION} is not the relation of the model: make model WRITE=1 writes it`);
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(2);
});
