/** A label of a DNS host name: letters, digits, `-` and `_`. Punycode writes all other characters with these. */
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_HOST = 253;
const MAX_PORT = 65_535;

type WebAddress = { readonly href: string } | { readonly fault: string };

/**
 * A web address as the URL standard (https://url.spec.whatwg.org) writes it: scheme and host in lower case, other
 * alphabets of a host in punycode. For an invalid one, the fault as a sentence without its subject. The standard's
 * parser repairs inputs that are more likely mistakes, such as blanks or an extra slash, so these are refused first.
 */
export const readWebAddress = (text: string): WebAddress => {
  const [, scheme, authority] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#\\]*)/i.exec(text) ?? [];
  if (scheme === undefined || authority === undefined || !/^https?$/i.test(scheme))
    return { fault: 'must begin with http:// or https://' };
  if (/[\s\p{Cc}\\]/u.test(text)) return { fault: 'must not hold blanks or backslashes' };
  if (authority.includes('@')) return { fault: 'must be without user name and password' };
  const [, host = '', port] = /^(\[[^\]]*\]?|[^:]*)(?::(.*))?$/.exec(authority) ?? [];
  if (host === '') return { fault: 'must have a host' };
  if (port !== undefined && !isPort(port)) return { fault: `must have a port from 1 to ${MAX_PORT}` };
  if (!URL.canParse(text)) return { fault: 'must have a host that is a name or an address' };
  const url = new URL(text);
  const fault = hostFault(url.hostname);
  if (fault !== null) return { fault };
  const hasPath = /^[^:]+:\/\/[^/?#]*\//.test(text);
  return { href: url.pathname === '/' && !hasPath && !url.search && !url.hash ? url.origin : url.href };
};

const isPort = (port: string): boolean =>
  port === '' || (/^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= MAX_PORT);

const hostFault = (host: string): string | null => {
  if (host.startsWith('[')) return null;
  if (host.endsWith('.')) return 'must not have a host that ends with a dot';
  const isName = host.length <= MAX_HOST && host.split('.').every((label) => LABEL.test(label));
  return isName ? null : 'must have a host whose parts are letters, digits and hyphens between dots';
};
