import { createContainer } from '../../src/main/container.ts';
import { closeStores } from '../../src/main/gateway.ts';
import type { CommitGroups } from '../../src/platform/write-store/committer.ts';
import { drained, spread } from './creates.ts';
import { startGatewayProcess } from './gateway-process.ts';
import { alternate, type Row, rate, ratioRow } from './measure.ts';
import { type Bench, createCharge, prepareMerchants } from './setting.ts';

const CLIENTS = 64;
const WARM_UP_SECONDS = 3;
const GOAL = 0.9;

/** A gateway with data of its own, whose commands share transactions in this way. */
const open = async (bench: Bench, groups: CommitGroups) => {
  const name = `${bench.config.mongodbDatabase}-groups-${groups}`;
  const variables = {
    ...bench.variables,
    MONGODB_DATABASE: name,
    KEY_PREFIX: name,
    COMMIT_GROUPS: groups,
  };
  const gateway = await startGatewayProcess(variables);
  const config = { ...bench.config, mongodbDatabase: name, keyPrefix: name, commitGroups: groups };
  const own = { ...bench, config, container: createContainer({ ...config, logLevel: 'warn' }) };
  const merchants = await prepareMerchants(own);
  const create = async (choose: () => string, seconds: number): Promise<number> => {
    const perSecond = await rate(CLIENTS, seconds, async () => {
      await createCharge(gateway.call, choose());
    });
    await drained(own);
    return perSecond;
  };
  await create(spread(merchants), WARM_UP_SECONDS);
  return {
    many: () => create(spread(merchants), bench.seconds),
    hot: () => create(() => merchants[0] ?? '', bench.seconds),
    async stop() {
      await closeStores(own.container);
      await gateway.stop();
    },
  };
};

/**
 * Commands that share transactions only within a tenant, as on a sharded cluster, against commands of all tenants that
 * do.
 */
export const measureGroups = async (bench: Bench): Promise<Row[]> => {
  const byTenant = await open(bench, 'tenant');
  const joined = await open(bench, 'all');
  const rowOf = async (which: 'many' | 'hot', whose: string): Promise<Row> => {
    const compared = await alternate(bench.rounds, byTenant[which], joined[which]);
    const what = `charges created per second, ${whose}, ${CLIENTS} clients, COMMIT_GROUPS=tenant`;
    return ratioRow(what, compared, 'COMMIT_GROUPS=all', GOAL);
  };
  const rows = [await rowOf('many', 'many merchants'), await rowOf('hot', 'one hot merchant')];
  await byTenant.stop();
  await joined.stop();
  return rows;
};
