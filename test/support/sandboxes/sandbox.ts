import { readAccounts } from '../../../src/modules/providers/accounts.ts';
import type { ConnectorDeps } from '../../../src/modules/providers/connector.ts';
import { connectorNamed } from '../../../src/modules/providers/connectors.ts';
import type { PaymentProvider } from '../../../src/modules/providers/provider.ts';
import { createHttpClient, type OpenHttp } from '../../../src/platform/outbound/http-client.ts';
import type { Trouble, Wire } from '../conformance.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 20_000;
const MAX_SHOWN = 2_000;
/** Members of answers that nobody is to read later. */
const CONFIDENTIAL = /("[a-z_]*(?:secret|token|password)[a-z_]*"\s*:\s*)"[^"]*"/gi;

/** A connector with the settings of a sandbox, on a network that can be disturbed and is transcribed. */
type Sandbox = {
  /** A new one that remembers nothing, as after the death of a process. */
  connect(): PaymentProvider;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly wire: Wire;
  /** Requests by method, path and status, each with its answer; without what is confidential. */
  transcript(): string;
  /** Values that no transcript may have. */
  readonly secrets: readonly string[];
};

/** Throws where the variables, named as in the environment of the gateway, lack a setting. */
export const openSandbox = (name: string, variables: Variables): Sandbox => {
  // The simulator's setting is there as well: nothing is said about it.
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
  const deps = {
    name,
    settings: account.settings,
    clock: () => new Date(),
    timeoutMs: TIMEOUT_MS,
    openHttp,
    publicUrl: () => 'https://pay.example.test',
  } as unknown as ConnectorDeps<never>;

  return {
    connect: () => connector.create(deps),
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
      /SECRET|PASSWORD|CERT_KEY/.test(setting) && typeof value === 'string' ? value.split(',') : [],
    ),
  };
};
