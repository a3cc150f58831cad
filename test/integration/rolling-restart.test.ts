import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../scripts/engines/probe.ts';
import { aCardRequest } from '../builders.ts';
import { BY_TENANT, startTestGateway, testVariables } from '../support/gateway.ts';
import { buildProgram, endPrograms, eventually, startProgram, untilPrinted } from '../support/program.ts';
import { volume } from '../support/volume.ts';

const MAIN = 'dist/src/main/main.js';
const CLIENTS = 64;
const ROUNDS = volume({ usual: 1, proof: 4 });

jest.setTimeout(300_000);
beforeAll(buildProgram);
afterEach(endPrograms);

type Clients = {
  readonly failures: readonly string[];
  answered(): number;
  /** Requests on a connection that had served one before. */
  reused(): number;
  stop(): Promise<void>;
};

/**
 * Clients that send charges one after the other, each over a connection of its own that it keeps alive. None repeats a
 * request that failed.
 */
const startClients = (key: string, choose: () => number): Clients => {
  const failures: string[] = [];
  let [answered, reused, isStopped] = [0, 0, false];
  const headers = {
    authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    'content-type': 'application/json',
  };
  const send = (agent: Agent, port: number, reference: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path: '/v1/charges', method: 'POST', agent, headers });
      sent.once('error', reject).once('response', (response) => {
        if (sent.reusedSocket) reused += 1;
        json(response).then(() => resolve(response.statusCode ?? 0), reject);
      });
      sent.end(JSON.stringify(aCardRequest({ reference })));
    });
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = 1; !isStopped; count += 1) {
      const status = await send(agent, choose(), `c${index}-${count}`).catch((error: Error) => error.message);
      if (status === 201) answered += 1;
      else failures.push(String(status));
    }
    agent.destroy();
  });
  return {
    failures,
    answered: () => answered,
    reused: () => reused,
    async stop() {
      isStopped = true;
      await Promise.all(clients);
    },
  };
};

/** Asks for the metrics again and again, as Prometheus does; tells which statuses it got. */
const startAskingForMetrics = (port: number) => {
  let isStopped = false;
  const asking = (async () => {
    const statuses = new Set<number>();
    while (!isStopped) {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      statuses.add(answer.status);
      expect(await answer.text()).toContain('portico_http_request_seconds_count');
      await sleep(100);
    }
    return [...statuses];
  })();
  return {
    stop() {
      isStopped = true;
      return asking;
    },
  };
};

const prepare = async (drainMs: number) => {
  const variables = { ...testVariables(), ...BY_TENANT, DRAIN_MS: String(drainMs) };
  const gateway = await startTestGateway(variables);
  const { testKey } = await gateway.createMerchant();
  await gateway.stop({ keepData: true });
  return { variables, testKey };
};

const moreThan = (clients: Clients, before: number): Promise<void> =>
  eventually('clients are served', () => clients.answered() > before + CLIENTS);

describe('a restart of one process after the other', () => {
  it('fails no request of 64 clients behind a balancer that asks who is ready', async () => {
    // The balancer below shares its process with all clients, and on a busy machine asks seldom.
    const { variables, testKey } = await prepare(5_000);
    const ports = await freePorts(2);
    const start = (port: number) => {
      const program = startProgram(MAIN, { ...variables, PORT: String(port) });
      return untilPrinted(program, /listening on/).then(() => program);
    };
    const programs = await Promise.all(ports.map(start));

    let ready = [...ports];
    let isStopped = false;
    const isReady = (port: number): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
        ({ status }) => status === 200,
        () => false,
      );
    /** Each process is asked by itself, so that one that is slow to answer hides no other. */
    const balancer = ports.map(async (port) => {
      while (!isStopped) {
        const is = await isReady(port);
        ready = ports.filter((one) => (one === port ? is : ready.includes(one)));
        await sleep(100);
      }
    });
    let turn = 0;
    const clients = startClients(testKey, () => {
      turn += 1;
      return ready[turn % ready.length] ?? 0;
    });
    await moreThan(clients, 0);
    for (let round = 1; round <= ROUNDS; round += 1)
      for (const [index, port] of ports.entries()) {
        programs[index]?.signal('SIGTERM');
        await eventually('the balancer has noticed', () => !ready.includes(port));
        expect(await programs[index]?.ended).toBe(0);
        programs[index] = await start(port);
        await eventually('it is ready again', () => ready.includes(port));
        await moreThan(clients, clients.answered());
      }
    await clients.stop();
    isStopped = true;
    await Promise.all(balancer);
    expect(clients.failures).toEqual([]);
    expect(clients.reused()).toBeGreaterThan(clients.answered() / 2);
  });

  it('fails no request where they share one port under a parent, nor one for the metrics of all', async () => {
    const { variables, testKey } = await prepare(1_500);
    const [port = 0] = await freePorts(1);
    const parent = startProgram(MAIN, {
      ...variables,
      LOG_LEVEL: 'info',
      PORT: String(port),
      PROCESSES: '2',
    });
    await untilPrinted(parent, /Portico is listening/);
    const pids = (): number[] =>
      [...parent.stdout().matchAll(/"pid":(\d+),.*"a process listens"/g)].map(([, pid]) => Number(pid));
    const clients = startClients(testKey, () => port);
    await moreThan(clients, 0);
    const first = pids();
    expect(first).toHaveLength(2);
    const metrics = startAskingForMetrics(port);
    for (const [index, pid] of first.entries()) {
      process.kill(pid, 'SIGTERM');
      await eventually('another one listens', () => pids().length > first.length + index);
      await moreThan(clients, clients.answered());
    }
    await clients.stop();
    expect(clients.failures).toEqual([]);
    expect(await metrics.stop()).toEqual([200]);
    parent.signal('SIGTERM');
    expect(await parent.ended).toBe(0);
  });
});
