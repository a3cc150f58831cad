import type { Locale } from '../../../platform/http/html-page.ts';
import type { INTERVALS } from '../../subscriptions/write/calendar.ts';
import type { SUBSCRIPTION_STATUSES } from '../../subscriptions/write/subscription.ts';

type Interval = (typeof INTERVALS)[number];
type Status = (typeof SUBSCRIPTION_STATUSES)[number];

/** Words of a payer's page in one language; `{}` stands for a value. */
export type Words = {
  readonly every: Readonly<Record<Interval, readonly [one: string, several: string]>>;
  readonly states: Readonly<Record<Status, string>>;
  readonly endsOn: string;
  readonly nextPayment: string;
  readonly trialUntil: string;
  readonly card: string;
  readonly paidBy: string;
  readonly payNow: string;
  readonly pixCode: string;
  readonly pixImage: string;
  readonly openPayment: string;
  readonly changeCard: string;
  readonly number: string;
  readonly holderName: string;
  readonly expiry: string;
  readonly cvv: string;
  readonly consent: string;
  readonly save: string;
  readonly faults: Readonly<Record<'number' | 'holderName' | 'expiry' | 'cvv' | 'consent', string>>;
  readonly outcomes: Readonly<
    Record<
      'changed' | 'pending' | 'unpaid' | 'refused' | 'exhausted' | 'needless' | 'later' | 'faults',
      string
    >
  >;
  readonly confirmAtBank: string;
  readonly payments: string;
  readonly noPayments: string;
  readonly earlierPayments: string;
  readonly latestPayments: string;
  readonly date: string;
  readonly amount: string;
  readonly receipt: string;
  readonly refunded: string;
  readonly cancel: string;
  readonly cancelNote: string;
  readonly cancelNow: string;
  readonly cancelled: string;
  readonly keep: string;
  readonly kept: string;
  readonly back: string;
  readonly testNote: string;
  readonly gone: string;
  readonly goneNote: string;
  readonly receiptOf: string;
  readonly payer: string;
  readonly period: string;
  readonly charge: string;
  readonly paidAt: string;
};

const pt: Words = {
  every: {
    week: ['por semana', 'a cada {} semanas'],
    month: ['por mês', 'a cada {} meses'],
    year: ['por ano', 'a cada {} anos'],
  },
  states: {
    incomplete: 'Aguardando o primeiro pagamento',
    trialing: 'Em período de teste',
    active: 'Ativa',
    past_due: 'O último pagamento não foi feito',
    paused: 'Pausada',
    cancelled: 'Cancelada',
    expired: 'Terminada',
  },
  endsOn: 'Termina em',
  nextPayment: 'Próximo pagamento',
  trialUntil: 'Teste até',
  card: 'Cartão',
  paidBy: '{} final {}, válido até {}',
  payNow: 'Pague agora',
  pixCode: 'Código Pix copia e cola',
  pixImage: 'Código QR do Pix',
  openPayment: 'Abrir a página de pagamento',
  changeCard: 'Usar outro cartão',
  number: 'Número do cartão',
  holderName: 'Nome no cartão',
  expiry: 'Validade (MM/AA)',
  cvv: 'Código de segurança',
  consent: 'Concordo que {} guarde este cartão e cobre nele os pagamentos desta assinatura.',
  save: 'Guardar cartão',
  faults: {
    number: 'Confira o número do cartão.',
    holderName: 'Escreva o nome como está no cartão.',
    expiry: 'Confira a validade: mês e ano, como 08/30.',
    cvv: 'Confira o código de segurança.',
    consent: 'Marque que concorda para guardar o cartão.',
  },
  outcomes: {
    changed: 'Pronto: os próximos pagamentos são feitos com este cartão.',
    pending: 'O seu banco ainda precisa confirmar o cartão.',
    unpaid: 'O cartão foi guardado, mas o pagamento foi recusado. Fale com o seu banco ou use outro cartão.',
    refused: 'O cartão foi recusado. Fale com o seu banco ou use outro cartão.',
    exhausted: 'Muitos cartões foram recusados aqui. Peça um novo endereço à loja.',
    needless: 'Esta assinatura não é paga com cartão ou já terminou. Nada mudou.',
    later: 'O cartão não pôde ser guardado agora. Nada mudou. Tente de novo em alguns minutos.',
    faults: 'O cartão não foi guardado. Confira os campos marcados.',
  },
  confirmAtBank: 'Confirmar no banco',
  payments: 'Pagamentos',
  noPayments: 'Nada foi pago ainda.',
  earlierPayments: 'Pagamentos anteriores',
  latestPayments: 'Pagamentos mais recentes',
  date: 'Data',
  amount: 'Valor',
  receipt: 'Recibo',
  refunded: 'devolvido',
  cancel: 'Cancelar assinatura',
  cancelNote: 'A assinatura termina no fim do período já pago. Nenhum valor é devolvido.',
  cancelNow: 'Cancelar no fim do período',
  cancelled: 'A assinatura foi cancelada.',
  keep: 'Manter a assinatura',
  kept: 'A assinatura continua.',
  back: 'Voltar para {}',
  testNote: 'Ambiente de teste: nenhum dinheiro é movimentado.',
  gone: 'Este endereço não vale mais',
  goneNote: 'Peça à loja um novo endereço para cuidar da sua assinatura.',
  receiptOf: 'Recibo de {}',
  payer: 'Pagador',
  period: 'Período',
  charge: 'Cobrança',
  paidAt: 'Pago em',
};

const es: Words = {
  every: {
    week: ['por semana', 'cada {} semanas'],
    month: ['por mes', 'cada {} meses'],
    year: ['por año', 'cada {} años'],
  },
  states: {
    incomplete: 'Esperando el primer pago',
    trialing: 'En período de prueba',
    active: 'Activa',
    past_due: 'El último pago no se realizó',
    paused: 'En pausa',
    cancelled: 'Cancelada',
    expired: 'Terminada',
  },
  endsOn: 'Termina el',
  nextPayment: 'Próximo pago',
  trialUntil: 'Prueba hasta',
  card: 'Tarjeta',
  paidBy: '{} terminada en {}, válida hasta {}',
  payNow: 'Pague ahora',
  pixCode: 'Código Pix para copiar y pegar',
  pixImage: 'Código QR de Pix',
  openPayment: 'Abrir la página de pago',
  changeCard: 'Usar otra tarjeta',
  number: 'Número de la tarjeta',
  holderName: 'Nombre en la tarjeta',
  expiry: 'Vencimiento (MM/AA)',
  cvv: 'Código de seguridad',
  consent: 'Acepto que {} guarde esta tarjeta y cobre con ella los pagos de esta suscripción.',
  save: 'Guardar tarjeta',
  faults: {
    number: 'Revise el número de la tarjeta.',
    holderName: 'Escriba el nombre como está en la tarjeta.',
    expiry: 'Revise el vencimiento: mes y año, como 08/30.',
    cvv: 'Revise el código de seguridad.',
    consent: 'Marque que acepta para guardar la tarjeta.',
  },
  outcomes: {
    changed: 'Listo: los próximos pagos se hacen con esta tarjeta.',
    pending: 'Su banco todavía tiene que confirmar la tarjeta.',
    unpaid: 'La tarjeta se guardó, pero el pago fue rechazado. Hable con su banco o use otra tarjeta.',
    refused: 'La tarjeta fue rechazada. Hable con su banco o use otra tarjeta.',
    exhausted: 'Aquí se rechazaron demasiadas tarjetas. Pida una nueva dirección a la tienda.',
    needless: 'Esta suscripción no se paga con tarjeta o ya terminó. Nada cambió.',
    later: 'La tarjeta no se pudo guardar ahora. Nada cambió. Intente de nuevo en unos minutos.',
    faults: 'La tarjeta no se guardó. Revise los campos marcados.',
  },
  confirmAtBank: 'Confirmar en el banco',
  payments: 'Pagos',
  noPayments: 'Todavía no se pagó nada.',
  earlierPayments: 'Pagos anteriores',
  latestPayments: 'Pagos más recientes',
  date: 'Fecha',
  amount: 'Importe',
  receipt: 'Recibo',
  refunded: 'devuelto',
  cancel: 'Cancelar suscripción',
  cancelNote: 'La suscripción termina al final del período ya pagado. No se devuelve nada.',
  cancelNow: 'Cancelar al final del período',
  cancelled: 'La suscripción fue cancelada.',
  keep: 'Mantener la suscripción',
  kept: 'La suscripción continúa.',
  back: 'Volver a {}',
  testNote: 'Entorno de prueba: no se mueve dinero.',
  gone: 'Esta dirección ya no sirve',
  goneNote: 'Pida a la tienda una nueva dirección para atender su suscripción.',
  receiptOf: 'Recibo de {}',
  payer: 'Pagador',
  period: 'Período',
  charge: 'Cobro',
  paidAt: 'Pagado el',
};

const en: Words = {
  every: {
    week: ['a week', 'every {} weeks'],
    month: ['a month', 'every {} months'],
    year: ['a year', 'every {} years'],
  },
  states: {
    incomplete: 'Waiting for the first payment',
    trialing: 'In its trial',
    active: 'Active',
    past_due: 'The last payment was not made',
    paused: 'Paused',
    cancelled: 'Cancelled',
    expired: 'Ended',
  },
  endsOn: 'Ends on',
  nextPayment: 'Next payment',
  trialUntil: 'Trial until',
  card: 'Card',
  paidBy: '{} ending in {}, valid until {}',
  payNow: 'Pay now',
  pixCode: 'Pix code to copy',
  pixImage: 'QR code for Pix',
  openPayment: 'Open the payment page',
  changeCard: 'Use another card',
  number: 'Card number',
  holderName: 'Name on the card',
  expiry: 'Expiry (MM/YY)',
  cvv: 'Security code',
  consent: 'I agree that {} keeps this card and charges the payments of this subscription to it.',
  save: 'Save card',
  faults: {
    number: 'Check the card number.',
    holderName: 'Write the name as it is on the card.',
    expiry: 'Check the expiry date: month and year, such as 08/30.',
    cvv: 'Check the security code.',
    consent: 'Tick that you agree to save the card.',
  },
  outcomes: {
    changed: 'Done: the next payments are made with this card.',
    pending: 'Your bank still has to confirm the card.',
    unpaid: 'The card was saved, but the payment was refused. Talk to your bank or use another card.',
    refused: 'The card was refused. Talk to your bank or use another card.',
    exhausted: 'Too many cards were refused here. Ask the shop for a new address.',
    needless: 'This subscription is not paid by card, or has ended. Nothing has changed.',
    later: 'The card could not be saved now. Nothing has changed. Try again in some minutes.',
    faults: 'The card was not saved. Check the marked fields.',
  },
  confirmAtBank: 'Confirm at the bank',
  payments: 'Payments',
  noPayments: 'Nothing has been paid yet.',
  earlierPayments: 'Earlier payments',
  latestPayments: 'Latest payments',
  date: 'Date',
  amount: 'Amount',
  receipt: 'Receipt',
  refunded: 'given back',
  cancel: 'Cancel subscription',
  cancelNote: 'The subscription ends with the period that is paid. No money is given back.',
  cancelNow: 'Cancel at the end of the period',
  cancelled: 'The subscription was cancelled.',
  keep: 'Keep the subscription',
  kept: 'The subscription goes on.',
  back: 'Back to {}',
  testNote: 'Test environment: no money moves.',
  gone: 'This address does not work any more',
  goneNote: 'Ask the shop for a new address to look after your subscription.',
  receiptOf: 'Receipt of {}',
  payer: 'Payer',
  period: 'Period',
  charge: 'Charge',
  paidAt: 'Paid on',
};

const WORDS = { pt, es, en };

export const wordsOf = (locale: Locale): Words => WORDS[locale.slice(0, 2) as keyof typeof WORDS];
