import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { loadConfig } from '../../src/main/config.ts';
import { CONNECTOR_SETTINGS } from '../../src/modules/providers/connectors.ts';
import { PAGES_OF_PROJECT } from '../../src/platform/http/guides.ts';

/** Files of `make up`, held against the program; whether Docker takes it is for Docker to say. */
type Service = {
  readonly build?: string;
  readonly image?: string;
  readonly pull_policy?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly pids_limit?: number;
  readonly cap_drop?: readonly string[];
  readonly mem_limit?: string;
  readonly healthcheck?: { readonly test?: string; readonly disable?: boolean };
  readonly entrypoint?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly profiles?: readonly string[];
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
  readonly networks: object;
  readonly secrets: object;
};

const compose: Compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true });
const { services } = compose;
const dockerfile = readFileSync('Dockerfile', 'utf8');
const SETTINGS = [
  ...[...readFileSync('src/main/config.ts', 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(
    ([, name]) => name,
  ),
  ...CONNECTOR_SETTINGS,
];

const pairsIn = (text: string, pattern: RegExp): Readonly<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(pattern)].map(([, name, value]) => [name, value]));

/** The secrets that `make up` makes. */
const dotEnv = (): Readonly<Record<string, string>> => {
  const directory = mkdtempSync(join(tmpdir(), 'portico-env-'));
  try {
    execFileSync('make', ['--silent', '-f', resolve('Makefile'), '.env'], { cwd: directory });
    expect(statSync(join(directory, '.env')).mode & 0o077).toBe(0);
    return pairsIn(readFileSync(join(directory, '.env'), 'utf8'), /^(\w+)=(.*)$/gm);
  } finally {
    rmSync(directory, { recursive: true });
  }
};

const given = dotEnv();

/** The environment of a service's process, as Docker puts it together. */
const variablesOf = (name: string): Readonly<Record<string, string>> => {
  const fill = (value: string): string =>
    value.replace(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)\}/g, (_, variable, otherwise) => {
      const filled = given[variable] ?? otherwise;
      if (filled === undefined) throw new Error(`make up does not make ${variable}`);
      return filled;
    });
  const fromImage = pairsIn(dockerfile.match(/^ENV .*$/m)?.[0] ?? '', /(\w+)=(\S+)/g);
  const own = services[name]?.environment ?? {};
  return {
    ...fromImage,
    ...Object.fromEntries(Object.entries(own).map(([key, value]) => [key, fill(value)])),
  };
};

describe('docker-compose.yml', () => {
  it.each([
    ['gateway', 'api'],
    ['worker', 'worker'],
  ])('gives %s settings that production accepts', (name, role) => {
    const config = loadConfig(variablesOf(name));
    expect(config).toMatchObject({ environment: 'production', role, host: '0.0.0.0', port: 3000 });
    expect(config.bootstrapOperator).not.toBeNull();
    expect(config.trustedProxies).not.toEqual([]);
    expect(config.metricsToken).not.toBeNull();
    const differ = [config.jwtSecrets, config.sealingKeys, config.peppers].flat();
    expect(new Set(differ).size).toBe(3);
  });

  it('builds the image once, because two services that build the same one would race', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const built = Object.entries(services).filter(([, { build }]) => build !== undefined);
    expect(built.map(([name]) => name)).toEqual(['gateway']);
    for (const name of ['gateway', 'worker'])
      expect(services[name]).toMatchObject({ image: `portico:${version}`, pull_policy: 'never' });
    expect(readFileSync('Makefile', 'utf8')).toContain('docker compose build gateway\n');
  });

  it('puts the pages that a gateway serves into the image', () => {
    expect(dockerfile).toContain(`COPY ${PAGES_OF_PROJECT.join(' ')} ./\n`);
    expect(readFileSync('.dockerignore', 'utf8').split('\n')).toEqual(
      expect.arrayContaining(['!docs', '!*.md']),
    );
  });

  it('names images by whole versions, so that an installation is the same tomorrow', () => {
    const images = Object.values(services).map(({ image = '' }) => image);
    expect(images).toHaveLength(9);
    for (const image of [
      ...images,
      ...[...dockerfile.matchAll(/^FROM (node:\S+)/gm)].map(([, from]) => from),
    ])
      expect(image).toMatch(/:v?\d+\.\d+\.\d+(-\w+)?$/);
  });

  it('gives every store a password of its own, which its container is told by the environment', () => {
    const { MONGODB_URI = '', ELASTICSEARCH_NODE = '', REDIS_URL = '' } = variablesOf('worker');
    const passwords = [MONGODB_URI, ELASTICSEARCH_NODE, REDIS_URL].map((url) => new URL(url).password);
    expect(new Set(passwords).size).toBe(3);
    expect(passwords).toEqual([
      variablesOf('mongodb').MONGODB_PASSWORD,
      variablesOf('elasticsearch').ELASTIC_PASSWORD,
      variablesOf('redis').REDIS_PASSWORD,
    ]);
    for (const password of passwords) expect(password.length).toBeGreaterThan(30);
    expect(services.elasticsearch?.environment).toMatchObject({ 'xpack.security.enabled': 'true' });
    expect(services.mongodb?.entrypoint?.join(' ')).toContain('--keyFile /tmp/keyfile');
    expect(services.redis?.entrypoint?.join(' ')).toContain('requirepass $$REDIS_PASSWORD');
  });

  it('sets nothing that the program does not know', () => {
    expect(SETTINGS).toContain('JWT_SECRET');
    for (const name of ['gateway', 'worker'])
      expect(Object.keys(variablesOf(name)).filter((variable) => !SETTINGS.includes(variable))).toEqual([]);
  });

  it('lets the gateway reach each store by its name in a network that both are in', () => {
    const { MONGODB_URI = '', ELASTICSEARCH_NODE = '', REDIS_URL = '' } = variablesOf('gateway');
    for (const url of [MONGODB_URI, ELASTICSEARCH_NODE, REDIS_URL]) {
      const store = services[new URL(url).hostname];
      for (const client of [services.gateway, services.worker])
        expect(store?.networks?.some((network) => client?.networks?.includes(network))).toBe(true);
    }
  });

  it('waits for nothing that has no health check, and switches none off', () => {
    expect(dockerfile).toMatch(/^HEALTHCHECK /m);
    const isChecked = ({ image, healthcheck }: Service = {}): boolean =>
      image === services.gateway?.image || healthcheck?.test !== undefined;
    for (const { depends_on: needed = {}, healthcheck } of Object.values(services)) {
      // `docker compose up --wait` fails for a service whose check is switched off.
      expect(healthcheck?.disable).toBeUndefined();
      for (const [name, { condition }] of Object.entries(needed))
        expect([name, condition, isChecked(services[name])]).toEqual([name, 'service_healthy', true]);
    }
  });

  it('bounds processes and capabilities of every service, and the memory of the queue below that of its container', () => {
    for (const [name, service] of Object.entries(services))
      expect([name, service.pids_limit, service.cap_drop]).toEqual([name, expect.any(Number), ['ALL']]);
    const [, megabytes] = /maxmemory (\d+)mb/.exec(services.redis?.entrypoint?.join(' ') ?? '') ?? [];
    expect(Number(megabytes)).toBeLessThan(Number.parseInt(services.redis?.mem_limit ?? '', 10));
  });

  it('declares its volumes and networks, and opens ports on this machine only', () => {
    const all = Object.values(services);
    for (const volume of all.flatMap(({ volumes = [] }) => volumes)) {
      const [source = ''] = volume.split(':');
      expect(source.startsWith('.') ? existsSync(source) : source in compose.volumes).toBe(true);
    }
    for (const network of all.flatMap(({ networks = [] }) => networks))
      expect(network === 'default' || network in compose.networks).toBe(true);
    for (const port of all.flatMap(({ ports = [] }) => ports))
      expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
  });

  it('has a proxy that listens where its ports are and passes on to services', () => {
    const caddyfile = readFileSync('config/caddy/Caddyfile', 'utf8');
    const listening = [...caddyfile.matchAll(/^https:\/\/localhost:(\d+), https:\/\/proxy:\1 \{/gm)].map(
      ([, port]) => port,
    );
    expect(listening).toEqual(services.proxy?.ports?.map((port) => port.split(':').at(-1)));
    expect(variablesOf('gateway').PUBLIC_URL).toBe(`https://localhost:${listening[0]}`);
    const upstreams = [...caddyfile.matchAll(/reverse_proxy (\w+):(\d+)/g)];
    expect(upstreams.map(([, name]) => name)).toEqual(['gateway', 'worker']);
    for (const [, , port] of upstreams) expect(dockerfile).toContain(`EXPOSE ${port}`);
  });
});

describe('make .env', () => {
  it('keeps what is in the file, and adds what a newer version needs', () => {
    const directory = mkdtempSync(join(tmpdir(), 'portico-env-'));
    try {
      writeFileSync(join(directory, '.env'), 'JWT_SECRET=kept\nLIVE_PROVIDER=\n');
      for (let i = 0; i < 2; i++)
        execFileSync('make', ['--silent', '-f', resolve('Makefile'), '.env'], { cwd: directory });
      const lines = readFileSync(join(directory, '.env'), 'utf8').trim().split('\n');
      expect(lines.slice(0, 2)).toEqual(['JWT_SECRET=kept', 'LIVE_PROVIDER=']);
      const names = lines.map((line) => line.split('=')[0]);
      expect(new Set(names).size).toBe(names.length);
      expect(names).toEqual(expect.arrayContaining(['SECRETS_KEY', 'MONGODB_KEY', 'REDIS_PASSWORD']));
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe('config/prometheus/prometheus.yml', () => {
  const { scrape_configs: jobs, rule_files: rules } = parse(
    readFileSync('config/prometheus/prometheus.yml', 'utf8'),
  );

  it('asks each process through the proxy, with the token of METRICS_TOKEN', () => {
    const targets = jobs.flatMap(({ static_configs: groups }: { static_configs: { targets: string[] }[] }) =>
      groups.flatMap(({ targets: some }) => some),
    );
    expect(targets).toEqual(services.proxy?.ports?.map((port) => `proxy:${port.split(':').at(-1)}`));
    expect(jobs).toMatchObject([
      { scheme: 'https', authorization: { credentials_file: '/run/secrets/metrics-token' } },
    ]);
    expect(compose.secrets).toEqual({ 'metrics-token': { environment: 'METRICS_TOKEN' } });
  });

  it('names rule files that there are', () => {
    for (const file of rules) expect(existsSync(`config/prometheus/${file}`)).toBe(true);
  });
});

describe('config/grafana', () => {
  const read = (file: string) => parse(readFileSync(`config/grafana/provisioning/${file}`, 'utf8'));

  it('provisions metrics with the alert rules, and traces, of services of the same profile', () => {
    const { datasources } = read('datasources/stores.yml');
    expect(datasources).toMatchObject([
      { type: 'prometheus', isDefault: true, jsonData: { manageAlerts: true } },
      { type: 'jaeger' },
    ]);
    for (const { url } of datasources)
      expect([url, services[new URL(url).hostname]?.profiles]).toEqual([url, services.grafana?.profiles]);
  });

  it('provisions the dashboard from where it is mounted', () => {
    const [{ options }] = read('dashboards/portico.yml').providers;
    const mounted = `./config/grafana/portico.json:${options.path}/portico.json:ro`;
    expect(services.grafana?.volumes).toContain(mounted);
  });
});

describe('Dockerfile', () => {
  it('copies files that exist and that .dockerignore lets through', () => {
    const allowed = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => new RegExp(`^${line.slice(1).replaceAll('.', '\\.').replaceAll('*', '.*')}$`));
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, files]) => files?.split(' ') ?? [],
    );
    expect(copied).toEqual(expect.arrayContaining(['package-lock.json', 'src']));
    for (const file of copied)
      expect([file, existsSync(file), allowed.some((pattern) => pattern.test(file))]).toEqual([
        file,
        true,
        true,
      ]);
  });

  it('starts files that the build makes, as a user that is not root', () => {
    const started = [...dockerfile.matchAll(/"dist\/([\w/]+)\.js"/g)].map(([, file]) => `${file}.ts`);
    expect(started).toEqual(['src/main/main.ts']);
    expect(started.every((file) => existsSync(file))).toBe(true);
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
  });
});
