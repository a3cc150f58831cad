import { settingInWords, settingName } from './setting-text.ts';

describe('a setting in words', () => {
  it.each([
    ['chargeback_alert_fee', { amount: 15.5, currency: 'BRL' }, 'R$15.50'],
    ['chargeback_alert_fee', { amount: null, currency: 'BRL' }, 'amount: empty, currency: BRL'],
    ['settlement_delay_days', { pix: 3, credit_card: 30 }, 'Pix: 3 days, credit card: 30 days'],
    ['settlement_delay_days', {}, 'empty'],
    ['enable_connect', true, 'on'],
    ['routes', [{ provider: 'simulator', weight: 2 }], 'provider: simulator, weight: 2'],
    ['anything', 'text', 'text'],
  ])('has the content of %s without the spelling of the API', (name, content, said) => {
    expect(settingInWords(name, content)).toBe(said);
  });

  it('has a name', () => {
    expect([settingName('unique_references'), settingName('own_routes')]).toEqual([
      'References count once',
      'own routes',
    ]);
  });
});
