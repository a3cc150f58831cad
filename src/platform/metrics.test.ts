import { readFileSync } from 'node:fs';
import { createMetrics } from './metrics.ts';

/** Names that a file asks Prometheus for. */
const namesIn = (file: string): readonly string[] => [
  ...new Set(readFileSync(file, 'utf8').match(/\b(portico|process|nodejs)_\w+/g) ?? []),
];

it.each(['config/prometheus/alerts.yml', 'config/grafana/portico.json'])(
  '%s asks for metrics that exist',
  async (file) => {
    const known = (await createMetrics().registry.getMetricsAsJSON()).flatMap(({ name, type }) =>
      String(type) === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    );
    expect(namesIn(file).length).toBeGreaterThan(5);
    expect(namesIn(file).filter((name) => !known.includes(name))).toEqual([]);
  },
);
