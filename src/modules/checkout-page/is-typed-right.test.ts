import fc from 'fast-check';
import { NOW } from '../../../test/builders.ts';
import { checkNationalId, compactId } from '../../kernel/national-id.ts';
import { isTypedRight } from './is-typed-right.ts';

it.each([
  [
    'number',
    ['4242 4242 4242 4242', '3782 822463 10005'],
    ['4242 4242 4242 4241', '4242', '4242 x242 4242 4242'],
  ],
  ['expiry', ['12/99', '1299', '12/2099', '01 / 99'], ['13/99', '00/99', '12/01', '12/2001', '1/', 'x']],
  [
    'document',
    ['529.982.247-25', '52998224725', '11.222.333/0001-81', '12.ABC.345/01DE-35', '12abc34501de35'],
    ['529.982.247-24', '529.982.247', '111.111.111-11', '11.222.333/0001-80', '12.ABC.345/01DE-36', 'x'],
  ],
  [
    'email',
    ['ana@example.com', 'ana@mail.example.com.br'],
    ['ana', 'ana@example', 'ana@example.', 'a b@example.com'],
  ],
  ['cvv', ['1', ''], []],
])('text that is left in the field %s can be right or wrong', (field, right, wrong) => {
  expect(right.filter((typed) => !isTypedRight(field, typed, NOW))).toEqual([]);
  expect(wrong.filter((typed) => isTypedRight(field, typed, NOW))).toEqual([]);
});

it('a card can be used to the end of its last month', () => {
  const monthOf = (months: number): string => {
    const month = new Date(NOW.getFullYear(), NOW.getMonth() + months, 1);
    return `${String(month.getMonth() + 1).padStart(2, '0')}/${month.getFullYear()}`;
  };
  expect([-1, 0, 1].map((months) => isTypedRight('expiry', monthOf(months), NOW))).toEqual([
    false,
    true,
    true,
  ]);
});

it('a CPF or CNPJ is right in the page exactly where the gateway takes it', () => {
  const cpf = fc.stringMatching(/^\d{11}$/);
  const cnpj = fc.stringMatching(/^[0-9A-Z]{12}\d{2}$/);
  // One number in a hundred has right check digits, so they are tried one after another.
  fc.assert(
    fc.property(fc.oneof(cpf, cnpj), (id) => {
      const type = id.length === 11 ? 'cpf' : 'cnpj';
      for (let digits = 0; digits < 100; digits += 1) {
        const tried = `${id.slice(0, -2)}${String(digits).padStart(2, '0')}`;
        expect(isTypedRight('document', tried, NOW)).toBe(checkNationalId(type, compactId(tried)));
      }
    }),
  );
});
