import { readAccounts } from '../../../src/modules/providers/accounts.ts';
import type { ConnectorDeps } from '../../../src/modules/providers/connector.ts';
import { connectorNamed } from '../../../src/modules/providers/connectors.ts';
import type { PaymentProvider } from '../../../src/modules/providers/provider.ts';
import { createRest } from '../../../src/modules/providers/rest.ts';
import { createHttpClient, type OpenHttp } from '../../../src/platform/outbound/http-client.ts';
import { createFakeCollections } from '../../fakes/collections.ts';
import type { Trouble, Wire } from '../conformance.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 20_000;
const MAX_SHOWN = 2_000;
/** Members of answers that nobody may read later. */
const CONFIDENTIAL = /("[a-z_]*(?:secret|token|password)[a-z_]*"\s*:\s*)"[^"]*"/gi;

/** A connector with the settings of a sandbox, on a network that can be disturbed and is recorded. */
type Sandbox = {
  /** A new instance that remembers nothing, as after the death of a process. */
  connect(): PaymentProvider;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly wire: Wire;
  /** Requests by method, path and status, each with its answer, without confidential values. */
  transcript(): string;
  /** Values that must not be in any transcript. */
  readonly secrets: readonly string[];
};

/** Opens a sandbox; throws where the variables, named as in the gateway's environment, lack a setting. */
export const openSandbox = (name: string, variables: Variables): Sandbox => {
  // The simulator needs its setting as well, but does not matter here.
  const surroundings = { NODE_ENV: 'development', SIMULATOR_LATENCY_MS: '0' };
  const { accounts, faults } = readAccounts({ ...surroundings, ...variables }, [name]);
  const account = accounts.find((one) => one.name === name);
  const connector = connectorNamed(name);
  if (!account || !connector) throw new Error(faults.join('; ') || `there is no provider ${name}`);

  const lines: string[] = [];
  let requests = 0;
  let luck: (request: number) => Trouble | null = () => null;
  const note = (call: string, outcome: string): void => {
    lines.push(`${call} -> ${outcome.slice(0, MAX_SHOWN).replace(CONFIDENTIAL, '$1"…"')}`);
  };
  const openHttp: OpenHttp = (options) => {
    const send = createHttpClient(options);
    return async (request) => {
      const call = `${request.method} ${request.url.pathname}`;
      const trouble = luck(requests);
      requests += 1;
      if (trouble === 'drop') {
        note(call, 'not sent');
        throw new Error('the connection broke before the request');
      }
      if (trouble !== null && trouble !== 'lose') {
        note(call, `${trouble.status} in place of an answer`);
        const headers = trouble.retryAfter === undefined ? {} : { 'retry-after': String(trouble.retryAfter) };
        return { status: trouble.status, headers, text: '{"error":{"type":"api_error"}}' };
      }
      const answer = await send(request);
      note(
        call,
        `${answer.status}${trouble === 'lose' ? ', lost' : ''} ${answer.text.replaceAll('\n', ' ')}`,
      );
      if (trouble === 'lose') throw new Error('the connection broke before the answer');
      return answer;
    };
  };
  const clock = (): Date => new Date();
  // The connector's records outlive its instances, as in a database.
  const db = createFakeCollections() as ConnectorDeps<never>['db'];
  const deps = (): ConnectorDeps<never> => ({
    name,
    settings: account.settings as never,
    db,
    clock,
    rest: createRest(clock),
    noteUnreadable: () => undefined,
    timeoutMs: TIMEOUT_MS,
    openHttp,
    publicUrl: () => 'https://pay.example.test',
  });

  return {
    connect: () => connector.create(deps()),
    settings: account.settings,
    wire: {
      troubleWith(decide) {
        requests = 0;
        luck = decide;
      },
      requests: () => requests,
    },
    transcript: () => `${lines.join('\n')}\n`,
    secrets: Object.entries(account.settings).flatMap(([setting, value]) =>
      /SECRET|PASSWORD|CERT_KEY|ACCESS_TOKEN/.test(setting) && typeof value === 'string'
        ? value.split(',')
        : [],
    ),
  };
};
