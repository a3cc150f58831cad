import fc from 'fast-check';
import { compactId } from '../../kernel/national-id.ts';
import { groupedTaxNumber } from './grouped-tax-number.ts';

it.each([
  ['', ''],
  ['529', '529'],
  ['5299', '529.9'],
  ['52998224725', '529.982.247-25'],
  ['529.982.247-25', '529.982.247-25'],
  ['529.982.247-256', '52.998.224/7256'],
  ['11222333000181', '11.222.333/0001-81'],
  ['112223330001819', '11.222.333/0001-81'],
  ['12abc34501de35', '12.ABC.345/01DE-35'],
])('a CPF or CNPJ that is typed as %s is written as %s', (typed, written) => {
  expect(groupedTaxNumber(typed)).toBe(written);
});

it('a number that was typed stays the same, and is written the same again', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9A-Za-z./-]{0,14}$/), (typed) => {
      const written = groupedTaxNumber(typed);
      expect(compactId(written)).toBe(compactId(typed));
      expect(groupedTaxNumber(written)).toBe(written);
    }),
  );
});
