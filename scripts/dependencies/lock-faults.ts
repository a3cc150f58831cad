/** A package in `package-lock.json` (lockfileVersion 3), as far as it is looked at. */
export type LockedPackage = {
  readonly version?: string;
  /** Subresource integrity: the hash that the archive must have. */
  readonly integrity?: string;
  /** SPDX expression. */
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
};

/** Licences that let anybody use, change and sell the whole under Apache-2.0. */
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

/** Licences that ask for their own files to stay open: for tools that are not passed on. */
const FOR_DEVELOPMENT = ['MPL-2.0'];

/** Packages whose manifest names no licence; their LICENSE files say MIT. */
const MIT_BY_FILE = ['busboy', 'passport-http-bearer', 'passport-strategy', 'pause', 'streamsearch'];

/** Packages that want to run a script when they are installed; `.npmrc` lets none of them. */
const WITH_SCRIPT = ['@parcel/watcher', '@scarf/scarf', '@swc/core', 'msgpackr-extract', 'unrs-resolver'];

/** Reasons to look at a package before it is used: no hash, an unknown licence, an install script nobody expected. */
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

/** Every part of an AND, or one of an OR. */
const isPermissive = (license = '', accepted: readonly string[]): boolean =>
  license
    .replaceAll(/[()]/g, '')
    .split(' AND ')
    .every((part) => part.split(' OR ').some((one) => accepted.includes(one)));
