/**
 * Who may import whom (kernel <- platform <- modules <- main), and which package is used where.
 * @type {import('dependency-cruiser').IConfiguration}
 */

const tests = '\\.test\\.ts$|^test/';
const packageOnlyIn = (name, packages, allowed) => ({
  name,
  severity: 'error',
  from: { path: '^src/', pathNot: `${tests}|${allowed}` },
  to: { path: `node_modules/(${packages})(/|$)` },
});

export default {
  forbidden: [
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
    packageOnlyIn('inversify-in-wiring', 'inversify|@inversifyjs', '\\.module\\.ts$|^src/main/'),
    packageOnlyIn('express-in-http', 'express', '\\.http\\.ts$|^src/platform/http/|/authenticate\\.ts$'),
    packageOnlyIn(
      'mongodb-in-stores',
      'mongodb',
      '^src/platform/|\\.store\\.ts$|/get-[^/]+\\.ts$|/fold-[^/]+\\.ts$|\\.module\\.ts$|/simulator/',
    ),
    packageOnlyIn(
      'elasticsearch-in-lists',
      '@elastic',
      '^src/platform/|/list-[^/]+\\.ts$|^src/modules/reports/',
    ),
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
