import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeConformance, type ProviderUnderTest } from '../support/conformance.ts';
import { openMercadoPagoSandbox } from '../support/sandboxes/mercado-pago.ts';
import { openPixSandbox } from '../support/sandboxes/pix-api.ts';
import type { Variables } from '../support/sandboxes/sandbox.ts';
import { openStripeSandbox } from '../support/sandboxes/stripe.ts';

type Kit = {
  readonly open: (variables: Variables) => ProviderUnderTest;
  readonly actors: Parameters<typeof describeConformance>[2];
};

const KITS: Readonly<Record<string, Kit>> = {
  stripe: { open: openStripeSandbox, actors: { pays: true, payer: false, bank: false } },
  'mercado-pago': { open: openMercadoPagoSandbox, actors: { pays: true, payer: false, bank: false } },
  'pix-api': { open: openPixSandbox, actors: { pays: false, payer: false, bank: false } },
};

const name = process.env.PROVIDER ?? '';
const kit = KITS[name];
if (!kit) throw new Error(`PROVIDER must be one of simulator, ${Object.keys(KITS).join(', ')}`);
// Settings that are missing are said once, and not by every item.
const opened = kit.open(process.env);

const FOLDER = join('dist', 'conformance');
afterAll(() => {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.txt`), opened.transcript?.() ?? '');
});

// Some calls go over the internet, and each of them many times.
jest.setTimeout(600_000);
describeConformance(`the sandbox of ${name}`, async () => opened, kit.actors);
