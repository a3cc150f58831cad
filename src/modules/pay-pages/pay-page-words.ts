import type { Locale } from '../../platform/http/html-page.ts';
import type { ChargeStatus } from '../charges/write/charge.ts';

/** Words of a payable page in one language. */
export type Words = {
  readonly pay: string;
  readonly fail: string;
  readonly payLate: string;
  readonly payLateNote: string;
  readonly print: string;
  readonly testNote: string;
  readonly expired: string;
  readonly cancelled: string;
  readonly timeLeft: string;
  readonly amount: string;
  readonly method: string;
  readonly bank: string;
  readonly ticket: string;
  readonly reference: string;
  readonly payUntil: string;
  readonly barcode: string;
  readonly qrCode: string;
  readonly voucherHelp: string;
  readonly qrCodeHelp: string;
  readonly returned: string;
  readonly returnedNote: string;
  readonly dueDate: string;
  readonly lastDay: string;
  readonly lastDayOver: string;
  readonly amountsDue: string;
  readonly amountsDueNote: string;
  readonly pixImage: string;
  readonly pixHelp: string;
  readonly pixCopyHelp: string;
  readonly copy: string;
  readonly copied: string;
  readonly otherDevice: string;
  readonly methods: Readonly<Record<'voucher' | 'banktransfer' | 'qrcode' | 'pix', string>>;
  readonly states: Readonly<Record<ChargeStatus, string>>;
};

const pt: Words = {
  pay: 'Pagar',
  fail: 'Deixar falhar',
  payLate: 'Pagar mesmo assim',
  payLateNote: 'Um pagamento feito agora é devolvido imediatamente.',
  print: 'Imprimir',
  testNote: 'Ambiente de teste: nenhum dinheiro é movimentado.',
  expired: 'O prazo para pagar terminou',
  cancelled: 'A cobrança foi cancelada',
  timeLeft: 'Tempo restante',
  amount: 'Valor',
  method: 'Forma de pagamento',
  bank: 'Banco',
  ticket: 'Código de pagamento',
  reference: 'Referência',
  payUntil: 'Pagar até',
  barcode: 'Código de barras',
  qrCode: 'Código QR com o endereço desta página',
  voucherHelp: 'Mostre este código de barras no ponto de pagamento, no celular ou impresso.',
  qrCodeHelp: 'Leia o código com a câmera do celular para pagar por lá.',
  returned: 'Obrigado!',
  returnedNote: 'Pode fechar esta página: a loja informa o resultado do pagamento.',
  dueDate: 'Vencimento',
  lastDay: 'Último dia para pagar',
  lastDayOver: 'O último dia para pagar passou: o seu banco mostra se ainda aceita o pagamento',
  amountsDue: 'Quanto pagar em cada dia',
  amountsDueNote: 'O seu banco mostra o valor do dia, que leva em conta os feriados da sua cidade.',
  pixImage: 'Código QR do Pix',
  pixHelp: 'Leia o código no aplicativo do seu banco.',
  pixCopyHelp: 'Pix Copia e Cola: copie este código e cole no aplicativo do seu banco.',
  copy: 'Copiar',
  copied: 'Copiado',
  otherDevice: 'Pagar com outro aparelho',
  methods: { voucher: 'Boleto', banktransfer: 'Transferência bancária', qrcode: 'Código QR', pix: 'Pix' },
  states: {
    pending: 'Aguardando o seu pagamento',
    paid: 'Pago. Obrigado!',
    refused: 'O pagamento foi recusado',
    failed: 'O pagamento falhou',
    refunded: 'O pagamento foi devolvido',
    in_analysis: 'O pagamento está em análise',
    authentication_required: 'O pagamento aguarda a sua confirmação',
    pre_chargeback: 'O pagamento foi contestado',
    chargeback: 'O pagamento foi estornado',
  },
};

const es: Words = {
  pay: 'Pagar',
  fail: 'Dejar que falle',
  payLate: 'Pagar de todos modos',
  payLateNote: 'Un pago hecho ahora se devuelve de inmediato.',
  print: 'Imprimir',
  testNote: 'Entorno de prueba: no se mueve dinero.',
  expired: 'El plazo para pagar ha terminado',
  cancelled: 'El cobro fue cancelado',
  timeLeft: 'Tiempo restante',
  amount: 'Importe',
  method: 'Medio de pago',
  bank: 'Banco',
  ticket: 'Código de pago',
  reference: 'Referencia',
  payUntil: 'Pagar hasta',
  barcode: 'Código de barras',
  qrCode: 'Código QR con la dirección de esta página',
  voucherHelp: 'Muestre este código de barras en el punto de pago, en el teléfono o impreso.',
  qrCodeHelp: 'Escanee el código con la cámara del teléfono para pagar allí.',
  returned: '¡Gracias!',
  returnedNote: 'Puede cerrar esta página: la tienda le informará el resultado del pago.',
  dueDate: 'Vencimiento',
  lastDay: 'Último día para pagar',
  lastDayOver: 'El último día para pagar pasó: su banco muestra si todavía acepta el pago',
  amountsDue: 'Cuánto pagar cada día',
  amountsDueNote: 'Su banco muestra el importe del día, que tiene en cuenta los feriados de su ciudad.',
  pixImage: 'Código QR de Pix',
  pixHelp: 'Escanee el código en la aplicación de su banco.',
  pixCopyHelp: 'Copie este código y péguelo en la aplicación de su banco.',
  copy: 'Copiar',
  copied: 'Copiado',
  otherDevice: 'Pagar con otro dispositivo',
  methods: {
    voucher: 'Cupón de pago',
    banktransfer: 'Transferencia bancaria',
    qrcode: 'Código QR',
    pix: 'Pix',
  },
  states: {
    pending: 'Esperando su pago',
    paid: 'Pagado. ¡Gracias!',
    refused: 'El pago fue rechazado',
    failed: 'El pago falló',
    refunded: 'El pago fue devuelto',
    in_analysis: 'El pago está en análisis',
    authentication_required: 'El pago espera su confirmación',
    pre_chargeback: 'El pago fue disputado',
    chargeback: 'El pago fue revertido',
  },
};

const en: Words = {
  pay: 'Pay',
  fail: 'Let it fail',
  payLate: 'Pay all the same',
  payLateNote: 'A payment made now is given back at once.',
  print: 'Print',
  testNote: 'Test environment: no money moves.',
  expired: 'The time to pay has passed',
  cancelled: 'The charge was cancelled',
  timeLeft: 'Time left',
  amount: 'Amount',
  method: 'Method',
  bank: 'Bank',
  ticket: 'Payment code',
  reference: 'Reference',
  payUntil: 'Pay until',
  barcode: 'Barcode',
  qrCode: 'QR code with the address of this page',
  voucherHelp: 'Show this barcode at the counter, on your phone or printed.',
  qrCodeHelp: 'Scan the code with the camera of your phone to pay there.',
  returned: 'Thank you!',
  returnedNote: 'You can close this page: the shop tells you how the payment ended.',
  dueDate: 'Due date',
  lastDay: 'Last day to pay',
  lastDayOver: 'The last day to pay is over: your bank shows whether it still takes the payment',
  amountsDue: 'What is due on which day',
  amountsDueNote:
    'Your bank shows the amount of the day, which takes the holidays of your town into account.',
  pixImage: 'QR code of the Pix',
  pixHelp: 'Scan the code in the application of your bank.',
  pixCopyHelp: 'Copy this code and paste it in the application of your bank.',
  copy: 'Copy',
  copied: 'Copied',
  otherDevice: 'Pay with another device',
  methods: { voucher: 'Voucher', banktransfer: 'Bank transfer', qrcode: 'QR code', pix: 'Pix' },
  states: {
    pending: 'Waiting for your payment',
    paid: 'Paid. Thank you!',
    refused: 'The payment was refused',
    failed: 'The payment failed',
    refunded: 'The payment was given back',
    in_analysis: 'The payment is being reviewed',
    authentication_required: 'The payment waits for your confirmation',
    pre_chargeback: 'The payment is disputed',
    chargeback: 'The payment was reversed',
  },
};

const WORDS = { pt, es, en };

export const wordsOf = (locale: Locale): Words => WORDS[locale.slice(0, 2) as keyof typeof WORDS];
