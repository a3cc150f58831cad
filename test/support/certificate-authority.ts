import { OctetString } from 'asn1js';
import { ExtKeyUsage, GeneralName, GeneralNames } from 'pkijs';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { constraints, extension, issue, newKeys, type Party, pemOf, usage } from './wallet-kit.ts';

/** PEM. */
export type Credentials = { readonly certificate: string; readonly privateKey: string };

type CertificateAuthority = {
  /** PEM. */
  readonly certificate: string;
  /** Issues a certificate for a server at 127.0.0.1. */
  issueServer(): Credentials;
  issueClient(name: string, validUntil?: Date): Credentials;
};

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const IP_ADDRESS = 7;

/** A certificate authority for one test, for servers and clients on this machine. */
export const createCertificateAuthority = (name: string): CertificateAuthority => {
  const now = Date.now();
  const valid = { from: new Date(now - DAY_MS), to: new Date(now + DAY_MS) };
  const root = issue({ name, keys: newKeys(), extensions: [constraints(true), usage(5)], ...valid });
  const loopback = new GeneralName({
    type: IP_ADDRESS,
    value: new OctetString({ valueHex: Uint8Array.of(127, 0, 0, 1).buffer }),
  });
  const leaf = (subject: string, purpose: string, isServer: boolean, validUntil = valid.to): Credentials => {
    const party: Party = issue({
      name: subject,
      keys: newKeys(),
      issuer: root,
      extensions: [
        constraints(false),
        usage(0),
        extension('2.5.29.37', new ExtKeyUsage({ keyPurposes: [purpose] }).toSchema()),
        ...(isServer ? [extension('2.5.29.17', new GeneralNames({ names: [loopback] }).toSchema())] : []),
      ],
      from: valid.from,
      to: validUntil,
    });
    const privateKey = party.keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    return { certificate: pemOf(party), privateKey };
  };
  return {
    certificate: pemOf(root),
    issueServer: () => leaf('127.0.0.1', SERVER_AUTH, true),
    issueClient: (subject, validUntil) => leaf(subject, CLIENT_AUTH, false, validUntil),
  };
};
