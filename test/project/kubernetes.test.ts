import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/main/config.ts';
import { PRODUCTION } from '../support/production.ts';

/** The manifests, held against the program; whether Kubernetes takes them is for kubeconform to say. */
const FOLDER = 'config/kubernetes';
const kustomization = parse(readFileSync(join(FOLDER, 'kustomization.yaml'), 'utf8'));

type Labels = Readonly<Record<string, string>>;
type Container = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly object[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly [field: string]: unknown;
};
type Manifest = {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a shape of its own
  readonly spec: any;
};

const manifests: readonly Manifest[] = (kustomization.resources as string[]).flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => document.toJS()),
);
const ofKind = (kind: string): readonly Manifest[] => manifests.filter((one) => one.kind === kind);
const named = (kind: string, name: string): Manifest | undefined =>
  ofKind(kind).find(({ metadata }) => metadata.name === name);
const podOf = ({ spec }: Manifest) => ({
  labels: spec.template.metadata.labels as Labels,
  ...spec.template.spec,
});
const containersOf = (deployment: Manifest): readonly Container[] => {
  const { containers, initContainers = [] } = podOf(deployment);
  return [...initContainers, ...containers];
};
const deployments = ofKind('Deployment');

/** Names of the Secret that the manifests refer to: they stand beside the reference. */
const SECRETS = (
  readFileSync(join(FOLDER, 'api.yaml'), 'utf8').match(/^ *# (?:[A-Z_]+,? ?)+$/gm) ?? []
).flatMap((line) => line.match(/[A-Z][A-Z_]+/g) ?? []);

describe('config/kubernetes', () => {
  it('lists every manifest that is there', () => {
    expect([...kustomization.resources, 'kustomization.yaml'].sort()).toEqual(readdirSync(FOLDER).sort());
  });

  it.each(['api', 'worker'])('gives the %s settings that production accepts', (role) => {
    const deployment = named('Deployment', `portico-${role}`);
    const [container] = deployment ? podOf(deployment).containers : [];
    expect(container.envFrom).toEqual([
      { configMapRef: { name: 'portico' } },
      { secretRef: { name: 'portico' } },
    ]);
    const { ALLOW_PLAIN_STORES: _, ...production } = PRODUCTION;
    const secrets: Record<string, string> = {
      ...production,
      METRICS_TOKEN: 'a token of the tests',
      MONGODB_URI: 'mongodb://portico:secret@db.example.com/?tls=true',
      ELASTICSEARCH_NODE: 'https://portico:secret@search.example.com:9200',
      REDIS_URL: 'rediss://:secret@queue.example.com',
    };
    const config = loadConfig({
      NODE_ENV: 'production',
      HOST: '0.0.0.0',
      ...Object.fromEntries(SECRETS.map((name) => [name, secrets[name]])),
      ...named('ConfigMap', 'portico')?.data,
      ...Object.fromEntries(
        container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
      ),
    });
    expect(config).toMatchObject({ role, environment: 'production', port: container.ports[0].containerPort });
    const hosts = named('Ingress', 'portico')?.spec.rules.map(
      ({ host }: { host: string }) => `https://${host}`,
    );
    expect(hosts).toEqual([config.publicUrl]);
  });

  it('asks the health checks that the program has, where it listens', () => {
    const pages = readFileSync('src/platform/http/pages.ts', 'utf8');
    for (const deployment of deployments) {
      const [container] = podOf(deployment).containers;
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        const { path, port } = container[probe].httpGet;
        expect(pages).toContain(`'${path}'`);
        expect(port).toBe(container.ports[0].name);
      }
      expect(readFileSync('Dockerfile', 'utf8')).toContain(`EXPOSE ${container.ports[0].containerPort}`);
    }
  });

  it('confines every container: no root, no capability, nothing written but /tmp, no token', () => {
    expect(deployments).toHaveLength(2);
    for (const deployment of deployments) {
      expect(podOf(deployment)).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const container of containersOf(deployment))
        expect(container).toMatchObject({
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          resources: { requests: expect.anything(), limits: { memory: expect.any(String) } },
          volumeMounts: [{ mountPath: '/tmp' }],
        });
    }
  });

  it('runs the image of this version, and scripts that there are', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(kustomization.images).toMatchObject([{ name: 'portico', newTag: version }]);
    for (const { image, command = [] } of deployments.flatMap(containersOf)) {
      expect(image).toBe('portico');
      for (const part of command.filter((one) => one.startsWith('dist/')))
        expect(existsSync(part.replace(/^dist\/(.*)\.js$/, '$1.ts'))).toBe(true);
    }
  });

  it('keeps one of each at work, and as many as help at most', () => {
    for (const { metadata } of deployments) {
      const labels = podOf(named('Deployment', metadata.name) as Manifest).labels;
      const { selector, minAvailable } = named('PodDisruptionBudget', metadata.name)?.spec ?? {};
      expect([selector.matchLabels, minAvailable]).toEqual([labels, 1]);
      const { scaleTargetRef, minReplicas } = named('HorizontalPodAutoscaler', metadata.name)?.spec ?? {};
      expect(scaleTargetRef).toMatchObject({ kind: 'Deployment', name: metadata.name });
      expect(minReplicas).toBe(2);
    }
    const workers = named('HorizontalPodAutoscaler', 'portico-worker')?.spec.maxReplicas;
    expect(String(workers)).toBe(named('ConfigMap', 'portico')?.data?.OUTBOX_SHARDS);
  });

  it('lets requests reach the API only, and stops what comes or goes otherwise', () => {
    const { podSelector, policyTypes } = named('NetworkPolicy', 'portico')?.spec ?? {};
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    for (const deployment of deployments)
      expect(podOf(deployment).labels).toMatchObject(podSelector.matchLabels);
    const api = podOf(named('Deployment', 'portico-api') as Manifest).labels;
    expect(named('NetworkPolicy', 'portico-api')?.spec.podSelector.matchLabels).toEqual(api);
    expect(named('Service', 'portico-api')?.spec.selector).toEqual(api);
  });

  it('saves the write store each night by the script that there is, confined like all others', () => {
    const { schedule, concurrencyPolicy, jobTemplate } = named('CronJob', 'portico-backup')?.spec ?? {};
    expect([schedule, concurrencyPolicy]).toEqual(['15 3 * * *', 'Forbid']);
    const { containers, securityContext, volumes } = jobTemplate.spec.template.spec;
    const [container] = containers;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.args[0]).toContain('node dist/scripts/backup.js');
    expect(existsSync('scripts/backup.ts')).toBe(true);
    expect(readFileSync('config/systemd/portico-backup.service', 'utf8')).toContain(
      'node dist/scripts/backup.js',
    );
    expect(volumes).toContainEqual({
      name: 'backups',
      persistentVolumeClaim: { claimName: named('PersistentVolumeClaim', 'portico-backups')?.metadata.name },
    });
  });

  it('lets a process reach a collector of traces in the cluster, and the cache of names on its node', () => {
    const { egress } = named('NetworkPolicy', 'portico')?.spec ?? {};
    expect(egress).toContainEqual({
      to: [{ ipBlock: { cidr: '169.254.20.10/32' } }],
      ports: [
        { port: 53, protocol: 'UDP' },
        { port: 53, protocol: 'TCP' },
      ],
    });
    expect(egress).toContainEqual({
      to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
      ports: [{ port: 4318 }],
    });
  });

  it('comes with an example that has Prometheus ask the port of each pod, with the roles of the alerts', () => {
    const [job] = parse(readFileSync('config/prometheus/kubernetes.yml', 'utf8')).scrape_configs;
    expect(job).toMatchObject({
      job_name: 'portico',
      http_headers: { 'X-Forwarded-Proto': { values: ['https'] } },
    });
    expect(job.kubernetes_sd_configs[0].namespaces.names).toEqual([kustomization.namespace]);
    expect(job.relabel_configs).toContainEqual(expect.objectContaining({ target_label: 'role' }));
  });

  it('has no secret in it', () => {
    expect(ofKind('Secret')).toEqual([]);
    const known = Object.keys(named('ConfigMap', 'portico')?.data ?? {});
    expect(known.filter((name) => SECRETS.includes(name) || /SECRET|KEY|PASSWORD|TOKEN/.test(name))).toEqual(
      [],
    );
  });
});
