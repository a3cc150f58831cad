import { isIPv6 } from 'node:net';
import type { Config } from './config.ts';

/** Where clients and payers reach the API: as configured, else where it listens. */
export type PublicUrl = {
  current(): string;
  /** Tells the port, which may have been left to the system. */
  listensOn(port: number): void;
};

/** Base addresses have no slash at their end. */
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
