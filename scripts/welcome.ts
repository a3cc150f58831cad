import type { Config } from '../src/main/config.ts';
import { DEMO_PASSWORD, type Demo } from './demo-data.ts';

const CHARGE = {
  amount: 129.9,
  currency: 'BRL',
  customer: { name: 'Ana Souza', email: 'ana@example.com' },
  paymentMethod: {
    type: 'credit_card',
    installments: 1,
    number: '4242424242424242',
    holderName: 'ANA SOUZA',
    expirationMonth: '12',
    expirationYear: '2030',
    cvv: '123',
  },
};

/**
 * The text of `make run` once everything answers: address, keys, and three lines to paste. It contains no secret in
 * production.
 */
export const welcome = (
  url: string,
  { environment, bootstrapOperator: operator }: Pick<Config, 'environment' | 'bootstrapOperator'>,
  demo: Demo | null,
): string => {
  const lines = ['', `Portico is ready: ${url}   (panel: ${url}/panel, description: ${url}/docs)`, ''];
  if (operator && environment !== 'production')
    lines.push(`  operator   ${operator.email} / ${operator.password}`);
  if (demo) {
    if (demo.users)
      lines.push(
        `  merchant   ${demo.users.merchant} / ${DEMO_PASSWORD}   (environment: Test)`,
        `  master     ${demo.users.master} / ${DEMO_PASSWORD}   (environment: Test)`,
      );
    const curl = `curl -s -u ${demo.testKey}:`;
    const json = "-H 'Content-Type: application/json'";
    const refund = { chargeId: demo.paidChargeId, reason: 'changed my mind' };
    lines.push(
      `  test key   ${demo.testKey}`,
      `  live key   ${demo.liveKey}`,
      ...(demo.masterKey ? [`  master key ${demo.masterKey}   (docs/guide/marketplace.md)`] : []),
      '',
      'Create a charge, list charges (what was just created included), refund one:',
      '',
      `${curl} ${url}/v1/charges ${json} -d '${JSON.stringify(CHARGE)}'`,
      '',
      `${curl} '${url}/v1/charges?orderBy=-createdAt&size=3' -H 'X-Consistency-Token: latest'`,
      '',
      `${curl} ${url}/v1/refunds ${json} -d '${JSON.stringify(refund)}'`,
    );
  }
  return `${lines.join('\n')}\n\nCtrl-C stops everything.\n`;
};
