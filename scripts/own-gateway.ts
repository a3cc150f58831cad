import { rmSync } from 'node:fs';
import type { Config } from '../src/main/config.ts';
import { startGateway } from '../src/main/gateway.ts';
import { stopOnSignal } from '../src/main/stop-on-signal.ts';
import { type Demo, prepareDemo } from './demo-data.ts';
import { openLocalServers } from './local-gateway.ts';

export type OwnGateway = {
  readonly url: string;
  readonly config: Config;
  readonly demo: Demo & { readonly masterKey: string };
  /** Stops the gateway and its servers, and removes its data. */
  stop(): Promise<void>;
};

/**
 * A gateway in this process with demo data and with servers of its own, whatever the environment names, so that
 * requests to it harm nobody's data.
 */
export const startOwnGateway = async (
  dataDir: string,
  progress: (line: string) => void,
): Promise<OwnGateway> => {
  const own = { DATA_DIR: dataDir, MONGODB_URI: '', ELASTICSEARCH_NODE: '', REDIS_URL: '', PORT: '0' };
  Object.assign(process.env, { ...own, NODE_ENV: 'development', ROLE: 'all' });
  const { config, engines } = await openLocalServers({ attach: false, progress });
  const gateway = await startGateway({ ...config, rateLimitPerSecond: 0, logLevel: 'error' });
  const stop = async (): Promise<void> => {
    await gateway.stop();
    await engines.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  stopOnSignal(stop);
  const demo = await prepareDemo(gateway.container, dataDir, progress);
  if (gateway.url && demo?.masterKey)
    return { url: gateway.url, config, demo: { ...demo, masterKey: demo.masterKey }, stop };
  await stop();
  throw new Error('the gateway has no demo data');
};
