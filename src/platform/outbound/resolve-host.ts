import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Returns every IP address of a host, IPv4 first; empty where there is none, or where no name server answers. */
export type ResolveHost = (host: string, stopping: AbortSignal) => Promise<readonly string[]>;

const LOOPBACK_HOST = /^(.+\.)?localhost$/;
/** Two tries of each query end within the three seconds that a connection may take. */
const QUESTION = { timeout: 700, tries: 2 };

/**
 * Queries name servers itself. The system's own look-up shares four threads with password hashing and files, so a few
 * names whose servers do not answer would hold up everybody.
 */
export const resolveHost: ResolveHost = async (host, stopping) => {
  if (isIP(host)) return [host];
  if (LOOPBACK_HOST.test(host)) return ['127.0.0.1', '::1'];
  const resolver = new Resolver(QUESTION);
  const cancel = (): void => resolver.cancel();
  stopping.addEventListener('abort', cancel);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    stopping.removeEventListener('abort', cancel);
  }
};
