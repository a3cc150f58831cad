/**
 * Directions of imports (kernel <- platform <- modules <- main), and the places of each package.
 * @type {import('dependency-cruiser').IConfiguration}
 */

const tests = '\\.test\\.ts$|^test/';
const packageOnlyIn = (name, packages, allowed) => ({
  name,
  severity: 'error',
  from: { path: '^src/', pathNot: `${tests}|${allowed}` },
  to: { path: `node_modules/(${packages})(/|$)` },
});

/** Modules from the bottom up: a module imports modules of lower levels only, so that no cycle can arise. */
const LEVELS = [
  ['audit', 'documents', 'proposals', 'providers'],
  ['merchants'],
  ['card-tokens', 'checkout-settings', 'identity', 'ledger', 'provider-accounts', 'submerchants', 'wallets'],
  ['adjustments', 'customers', 'payouts', 'suspense'],
  ['stored-methods'],
  ['charges'],
  ['disputes'],
  ['payment-methods', 'refunds', 'settlement', 'subscriptions'],
  ['anticipations', 'chargebacks', 'checkout'],
  ['erasure'],
  ['ledger-check', 'notes', 'provider-notifications', 'request-log', 'statement', 'webhooks'],
  ['pay-pages', 'portal', 'reports', 'search', 'timeline'],
  ['checkout-page'],
  ['card-fields'],
  ['test-clock'],
];
const filesOf = (modules) => `^src/modules/(${modules.join('|')})/`;
const importLowerLevels = LEVELS.map((modules, level) => ({
  name: `modules-of-level-${level}-import-lower-levels`,
  severity: 'error',
  from: { path: filesOf(modules), pathNot: tests },
  to: { path: '^src/modules/', pathNot: filesOf(['$1', ...LEVELS.slice(0, level).flat()]) },
}));

export default {
  forbidden: [
    ...importLowerLevels,
    {
      name: 'every-module-has-a-level',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: filesOf(LEVELS.flat()) },
      to: {},
    },
    {
      name: 'client-stands-alone',
      severity: 'error',
      from: { path: '^src/client/', pathNot: tests },
      to: { pathNot: '^src/client/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'kernel-imports-kernel-only',
      severity: 'error',
      from: { path: '^src/kernel/', pathNot: tests },
      to: { path: '^(src/(platform|modules|main)|config|scripts|test)/' },
    },
    {
      name: 'platform-knows-no-business',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: tests },
      to: { path: '^(src/(modules|main)|config|scripts|test)/' },
    },
    {
      name: 'modules-do-not-know-main',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: tests },
      to: { path: '^(src/main|config|scripts|test)/' },
    },
    {
      name: 'program-does-not-know-scripts',
      severity: 'error',
      from: { path: '^(src|config)/', pathNot: tests },
      to: { path: '^(scripts|test)/' },
    },
    {
      name: 'write-does-not-know-read',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/write/', pathNot: tests },
      to: { path: '^src/modules/[^/]+/read/' },
    },
    {
      name: 'http-only-from-wiring',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: `${tests}|\\.module\\.ts$|\\.http\\.ts$` },
      to: { path: '\\.http\\.ts$' },
    },
    {
      name: 'only-config-reads-settings',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/main/' },
      to: { path: '^config/' },
    },
    packageOnlyIn(
      'inversify-where-modules-meet',
      'inversify|@inversifyjs',
      '^src/platform/platform\\.module\\.ts$|^src/main/',
    ),
    packageOnlyIn('express-in-http', 'express', '\\.http\\.ts$|^src/platform/http/|/authenticate\\.ts$'),
    packageOnlyIn(
      'mongodb-in-stores',
      'mongodb',
      '^src/platform/|\\.store\\.ts$|/get-[^/]+\\.ts$|/fold-[^/]+\\.ts$|\\.module\\.ts$|/simulator/',
    ),
    packageOnlyIn('elasticsearch-in-queries', '@elastic', '^src/platform/|^src/modules/[^/]+/read/'),
    {
      name: 'panel-uses-the-public-api-and-pure-rules-only',
      severity: 'error',
      from: { path: '^src/panel/', pathNot: tests },
      to: {
        path: '^(src/(platform|modules|main)|config|scripts|test)/',
        // The price of a charge is computed by the rules that charges have, not by a copy of them.
        pathNot: '^src/modules/(charges/write/split|merchants/write/fees)\\.ts$',
      },
    },
    {
      name: 'gateway-does-not-know-the-panel',
      severity: 'error',
      from: { path: '^(src|config|scripts)/', pathNot: '^src/panel/' },
      to: { path: '^src/panel/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '\\.d\\.ts$' },
      to: {},
    },
    {
      name: 'development-packages-stay-out',
      severity: 'error',
      from: { path: '^(src|config)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
  },
};
