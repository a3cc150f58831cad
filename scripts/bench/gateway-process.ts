import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';
import { projectFolder } from '../../src/platform/project-folder.ts';

export type Answer = { readonly status: number; readonly body: string };
export type Call = (
  method: 'GET' | 'POST',
  path: string,
  authorization: string,
  body?: object,
) => Promise<Answer>;

export type GatewayProcess = {
  readonly url: string;
  readonly call: Call;
  readonly pid: number;
  /** Resident memory in MiB. */
  memory(): number;
  stop(): Promise<void>;
};

/** Heap size as with `make run`: that of a container with 512 MiB. */
const HEAP = '--max-old-space-size=384';

/** The gateway as it runs in production: a separate process with logging, reached over HTTP. */
export const startGatewayProcess = async (
  variables: Readonly<Record<string, string>>,
): Promise<GatewayProcess> => {
  const program = projectFolder('dist/src/main/main.js');
  const child = spawn(process.execPath, [HEAP, program], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const endWithThis = (): void => {
    child.kill();
  };
  process.once('exit', endWithThis);
  const url = await new Promise<string>((found, failed) => {
    child.once('exit', (code) => failed(new Error(`the gateway ended (${code})`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /^Portico is listening on (http\S+)/.exec(line)?.[1];
      if (address) found(address);
    });
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  return {
    url,
    call: callOf(url, agent),
    pid: child.pid ?? 0,
    memory: () => Number(spawnSync('ps', ['-o', 'rss=', '-p', String(child.pid)]).stdout.toString()) / 1024,
    async stop() {
      agent.destroy();
      process.removeListener('exit', endWithThis);
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
};

const callOf =
  (url: string, agent: Agent): Call =>
  (method, path, authorization, body) =>
    new Promise((answered, failed) => {
      const payload = body ? JSON.stringify(body) : null;
      const headers = {
        ...(authorization ? { authorization } : {}),
        ...(payload
          ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }
          : {}),
      };
      const sent = httpRequest(`${url}${path}`, { method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          answered({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        );
        response.on('error', failed);
      });
      sent.on('error', failed);
      sent.end(payload ?? undefined);
    });
