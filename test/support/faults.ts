import { existsSync, readFileSync } from 'node:fs';
import type { EngineControl, EngineName, EngineUrls } from '../../scripts/engines/engines.ts';
import { BY_TENANT, startTestGateway, type TestGateway, type TestMerchant } from './gateway.ts';
import { createOwnEngines } from './own-engines.ts';
import { eventually } from './program.ts';

type Settings = Readonly<Record<string, string>>;
type UseGateway = (gateway: TestGateway, merchant: TestMerchant) => Promise<void>;

/** Servers that the tests of a file stop, kill and suspend, and gateways on them. */
type Faults = {
  readonly dataDir: string;
  server(name: EngineName): EngineControl;
  /** The variables of a gateway on these servers. */
  variables(): Settings;
  /** Uses one gateway that the first caller starts and all share; `use` may leave servers down. */
  withSharedGateway(use: UseGateway): Promise<void>;
  /** Uses a gateway of its own. */
  withGateway(use: UseGateway, settings?: Settings): Promise<void>;
  /** Suspends servers while `use` runs: they are there but do not answer. */
  whileHanging(names: readonly EngineName[], use: () => Promise<void>): Promise<void>;
};

/** Servers for the tests of a file. The `given` ones belong to all suites and are left alone. */
export const useFaults = (given: EngineUrls, settings: Settings = {}): Faults => {
  const engines = createOwnEngines(given);
  const { dataDir, server, startAll, variables } = engines;
  let shared: TestGateway | null = null;

  jest.setTimeout(600_000);
  beforeAll(engines.start);
  afterAll(async () => {
    await shared?.stop();
    await engines.stop();
  });

  const whole = (gateway: TestGateway): Promise<void> =>
    eventually('all servers answer', async () => {
      return (await gateway.call('get', '/health/ready')).body.status === 'ok';
    });

  return {
    dataDir,
    server,
    variables,
    async withSharedGateway(use) {
      shared ??= await startTestGateway({ ...variables(), ...BY_TENANT, ...settings });
      await startAll();
      await whole(shared);
      await use(shared, await shared.createMerchant());
    },
    async withGateway(use, own = settings) {
      const gateway = await startTestGateway({ ...variables(), ...BY_TENANT, ...own });
      const cleanUp = async (): Promise<void> => {
        await startAll();
        await gateway.stop();
      };
      try {
        await use(gateway, await gateway.createMerchant());
      } catch (error) {
        // The error of `use` counts, and not its consequences.
        await cleanUp().catch(() => undefined);
        throw error;
      }
      await cleanUp();
    },
    async whileHanging(names, use) {
      const pids = names.map((name) => server(name).pid ?? 0);
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      try {
        // On a busy machine the processes go on for a moment.
        await eventually('they hang', async () => pids.every(isStopped));
        await use();
      } finally {
        for (const pid of pids) process.kill(pid, 'SIGCONT');
      }
    },
  };
};

/** Whether the process has stopped; taken for true where the system does not tell. */
const isStopped = (pid: number): boolean => {
  const file = `/proc/${pid}/stat`;
  return !existsSync(file) || readFileSync(file, 'utf8').includes(') T ');
};
