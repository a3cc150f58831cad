import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Gives every IP address of a host, IPv4 first; none where there is none or nobody tells. */
export type ResolveHost = (host: string, stopping: AbortSignal) => Promise<readonly string[]>;

const LOOPBACK_HOST = /^(.+\.)?localhost$/;
/** Two tries of each question end before the three seconds that a connection may take. */
const QUESTION = { timeout: 700, tries: 2 };

/**
 * Asks name servers itself. The system's own look-up shares four threads with password hashing and files. A few names
 * whose servers keep silent would hold up everybody.
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
