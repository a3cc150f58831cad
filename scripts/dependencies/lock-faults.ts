/** The relevant members of a package in `package-lock.json` (lockfileVersion 3). */
export type LockedPackage = {
  readonly version?: string;
  /** Subresource integrity: the hash that the archive has to have. */
  readonly integrity?: string;
  /** SPDX expression. */
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
};

/** Licences that let anybody use, change and sell the whole program under Apache-2.0. */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'MIT/X11',
  'Unlicense',
];

/** Licences that require changes of their own files to stay open, for tools that are not distributed. */
const FOR_DEVELOPMENT = ['MPL-2.0'];

/** Packages whose manifest names no licence; their LICENSE files say MIT. */
const MIT_BY_FILE = ['busboy', 'passport-http-bearer', 'passport-strategy', 'pause', 'streamsearch'];

/** Packages that want to run a script when they are installed, which `.npmrc` prevents for all of them. */
const WITH_SCRIPT = ['@parcel/watcher', '@scarf/scarf', '@swc/core', 'msgpackr-extract', 'unrs-resolver'];

/** Reasons to look at a package before using it: a missing hash, an unknown licence, an unexpected install script. */
export const lockFaults = (packages: Readonly<Record<string, LockedPackage>>): readonly string[] =>
  Object.entries(packages)
    .filter(([path]) => path !== '')
    .flatMap(([path, { version, integrity, license, hasInstallScript, dev }]) => {
      const name = path.replace(/^.*node_modules\//, '');
      const of = `${name}@${version}`;
      return [
        ...(integrity?.startsWith('sha512-') ? [] : [`${of} has no SHA-512 in the lock file`]),
        ...(MIT_BY_FILE.includes(name) ||
        isPermissive(license, dev ? [...PERMISSIVE, ...FOR_DEVELOPMENT] : PERMISSIVE)
          ? []
          : [`${of} has the licence ${license ?? 'that nobody names'}`]),
        ...(hasInstallScript && !WITH_SCRIPT.includes(name) ? [`${of} wants to run an install script`] : []),
      ];
    });

/** Whether every part of an AND, or one part of an OR, is accepted. */
const isPermissive = (license = '', accepted: readonly string[]): boolean =>
  license
    .replaceAll(/[()]/g, '')
    .split(' AND ')
    .every((part) => part.split(' OR ').some((one) => accepted.includes(one)));
