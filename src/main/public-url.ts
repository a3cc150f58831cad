import { isIPv6 } from 'node:net';
import type { Config } from './config.ts';

/** The address at which clients and payers reach the API: the configured one, else the one on which it listens. */
export type PublicUrl = {
  current(): string;
  /** Sets the actual port, which the settings may leave to the system. */
  listensOn(port: number): void;
};

/** Creates the address, which never has a trailing slash. */
export const createPublicUrl = ({ publicUrl, host, tls, port }: Config): PublicUrl => {
  const at = (actual: number): string =>
    `${tls ? 'https' : 'http'}://${isIPv6(host) ? `[${host}]` : host}:${actual}`;
  let url = publicUrl ?? at(port);
  return {
    current: () => url,
    listensOn(actual) {
      if (publicUrl === null) url = at(actual);
    },
  };
};
