import { compactId, idProblem } from '../../../kernel/national-id.ts';
import type { DueTerms, Interest, Portion } from '../pix/due-terms.ts';
import type { AuthorizeRequest, Payer, PayerAddress } from '../provider.ts';
import { reais } from './answers.ts';

/** Modalities of the API Pix 2.9.0, by its table of domains: `valor.multa` and `valor.abatimento`. */
const PORTIONS: Readonly<Record<Portion['type'], number>> = { amount: 1, percentage: 2 };

/** `valor.juros`: of a percentage by its period, in calendar days. Those in business days are four further on. */
const INTEREST: Readonly<Record<Interest['per'], number>> = { day: 2, month: 3, year: 4 };
const AMOUNT_OF_INTEREST = 1;
const IN_BUSINESS_DAYS = 4;

/** `valor.desconto` until certain days, and for each day before the due date. */
const UNTIL_DATES: Readonly<Record<Portion['type'], number>> = { amount: 1, percentage: 2 };
const FOR_EACH_DAY: Readonly<Record<Portion['type'], { calendar: number; business: number }>> = {
  amount: { calendar: 3, business: 4 },
  percentage: { calendar: 5, business: 6 },
};

/** The body of `PUT /cobv/{txid}`. */
export const cobvOf = (
  { instrument, amount, currency, payer }: AuthorizeRequest,
  { key }: { readonly key: string },
) => {
  if (instrument.type !== 'pix' || !instrument.due || currency !== 'BRL')
    throw new Error('the API Pix takes charges with a due date by Pix in BRL only');
  const devedor = devedorOf(payer);
  if (!devedor) throw new Error('a charge with a due date has no payer with a tax number');
  const { due } = instrument;
  return {
    calendario: { dataDeVencimento: due.dueDate, validadeAposVencimento: due.daysAfterDue },
    devedor: { ...devedor, ...(payer.address && addressOf(payer.address)) },
    valor: { original: reais(amount), ...partsOf(due) },
    chave: key,
  };
};

/** Amounts and percentages alike are written with two decimals. */
const portionOf = ({ type, value }: Portion) => ({ modalidade: PORTIONS[type], valorPerc: reais(value) });

const partsOf = ({ fine, interest, discounts, rebate }: DueTerms) => ({
  ...(fine && { multa: portionOf(fine) }),
  ...(interest && { juros: jurosOf(interest) }),
  ...(rebate && { abatimento: portionOf(rebate) }),
  ...(discounts && { desconto: descontoOf(discounts) }),
});

const jurosOf = ({ type, value, per, days }: Interest) => ({
  modalidade:
    (type === 'amount' ? AMOUNT_OF_INTEREST : INTEREST[per]) + (days === 'business' ? IN_BUSINESS_DAYS : 0),
  valorPerc: reais(value),
});

const descontoOf = (discounts: NonNullable<DueTerms['discounts']>) =>
  'until' in discounts
    ? {
        modalidade: UNTIL_DATES[discounts.type],
        descontoDataFixa: discounts.until.map(({ date, value }) => ({ data: date, valorPerc: reais(value) })),
      }
    : { modalidade: FOR_EACH_DAY[discounts.type][discounts.days], valorPerc: reais(discounts.value) };

/** Most characters of a name, a street and a town. */
const MAX_TEXT = 200;

/** The payer as every kind of charge names it; null for one whose tax number the institution would refuse. */
export const devedorOf = ({ name, document }: Payer, longest: number = MAX_TEXT) => {
  if (document?.type !== 'cpf' && document?.type !== 'cnpj') return null;
  const nome = cut(name, longest);
  const { type, id } = document;
  // The institution checks the digits and would refuse the whole charge.
  return idProblem(type, id) === null ? { [type]: compactId(id), nome } : null;
};

const addressOf = ({ line, city, state, postalCode }: PayerAddress) => ({
  logradouro: cut(line),
  cidade: cut(city),
  uf: state,
  cep: postalCode,
});

const graphemes = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' });

/** As many whole characters as the institution takes; none is cut in the middle. */
const cut = (text: string, longest: number = MAX_TEXT): string => {
  let taken = '';
  for (const { segment } of graphemes.segment(text)) {
    if (taken.length + segment.length > longest) break;
    taken += segment;
  }
  return taken;
};
