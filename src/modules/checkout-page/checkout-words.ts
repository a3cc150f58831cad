import type { Locale } from '../../platform/http/html-page.ts';
import type { PaymentType } from '../providers/provider.ts';
import type { FieldName } from './payment-form.ts';

/** Words of a checkout session's page in one language; `{}` stands for a value. */
export type CheckoutWords = {
  readonly pay: string;
  readonly payTo: string;
  readonly items: string;
  readonly total: string;
  readonly howToPay: string;
  readonly otherWay: string;
  readonly methods: Readonly<Record<PaymentType, readonly [name: string, hint: string]>>;
  readonly upTo: string;
  readonly pixHelp: string;
  readonly begin: Readonly<Record<PaymentType, string>>;
  readonly fields: Readonly<Record<FieldName, string>>;
  readonly cpfOrCnpj: string;
  readonly documentWhy: string;
  readonly expiryFormat: string;
  readonly codeHint: string;
  readonly faults: Readonly<Record<FieldName, string>>;
  readonly brandNotTaken: string;
  readonly installmentsNotOffered: string;
  readonly oneInstallment: string;
  readonly installments: string;
  readonly installmentsFirst: string;
  readonly saved: string;
  readonly assure: string;
  readonly backWithoutPaying: string;
  readonly processedBy: string;
  readonly testNote: string;
  readonly simulatePaid: string;
  readonly simulateFailed: string;
  readonly nothingCharged: string;
  readonly refused: readonly [heading: string, advice: string];
  readonly insufficientFunds: readonly [heading: string, advice: string];
  readonly notAuthenticated: readonly [heading: string, advice: string];
  readonly ended: readonly [heading: string, advice: string];
  readonly checkFields: string;
  readonly tryAgain: readonly [heading: string, advice: string];
  readonly proofNeeded: readonly [heading: string, advice: string];
  readonly notNow: readonly [heading: string, advice: string];
  readonly taken: readonly [heading: string, advice: string];
  readonly waiting: string;
  readonly followsByItself: string;
  readonly validFor: string;
  readonly until: string;
  readonly pixTitle: string;
  readonly pixCode: string;
  readonly copyPix: string;
  readonly pixSteps: readonly string[];
  readonly pixImage: string;
  readonly withCamera: string;
  readonly voucherTitle: string;
  readonly voucherHelp: string;
  readonly voucherLine: string;
  readonly copyLine: string;
  readonly barcode: string;
  readonly payUntil: string;
  readonly beneficiary: string;
  readonly openVoucher: string;
  readonly print: string;
  readonly transferTitle: string;
  readonly transferHelp: string;
  readonly toBank: string;
  readonly qrTitle: string;
  readonly qrHelp: string;
  readonly qrImage: string;
  readonly openPage: string;
  readonly authenticateTitle: string;
  readonly authenticateHelp: string;
  readonly continueAtBank: string;
  readonly neverPassword: string;
  readonly checkingTitle: string;
  readonly checkingHelp: string;
  readonly analysisTitle: string;
  readonly analysisHelp: string;
  readonly lookNow: string;
  readonly change: string;
  readonly changeNote: string;
  /** The page on which a card is kept and nothing is paid. */
  readonly setup: {
    readonly heading: string;
    readonly note: string;
    readonly legend: string;
    readonly consent: string;
    readonly button: string;
    readonly done: string;
  };
  /** The page on which a payer subscribes. */
  readonly subscription: {
    readonly trial: string;
    readonly button: string;
    readonly done: string;
    readonly note: string;
  };
  readonly paidTitle: string;
  readonly backTo: string;
  readonly backIn: string;
  readonly stay: string;
  readonly receipt: string;
  readonly method: string;
  readonly cardEnding: string;
  readonly validUntil: string;
  readonly installmentsTerm: string;
  readonly date: string;
  readonly soldBy: string;
  readonly payment: string;
  readonly refunded: string;
  readonly receiptNote: string;
  readonly expiredTitle: string;
  readonly expiredHelp: string;
  readonly cancelledTitle: string;
  readonly cancelledHelp: string;
  readonly tooManyTitle: string;
  readonly tooManyHelp: string;
  readonly goneTitle: string;
  readonly goneHelp: string;
  readonly links: LinkWords;
  readonly toShop: string;
  readonly copied: string;
  readonly sending: string;
  readonly preparing: string;
  readonly offline: string;
};

/** Words of the page of a payment link. */
type LinkWords = {
  readonly paid: readonly [title: string, help: string];
  readonly held: readonly [title: string, help: string];
  readonly inactive: readonly [title: string, help: string];
  readonly tooMany: readonly [title: string, help: string];
  readonly chooseAmount: string;
  readonly amount: string;
  readonly range: string;
  readonly amountFault: string;
  readonly yourData: string;
  readonly phone: string;
  readonly country: string;
  readonly missing: string;
  readonly choose: string;
  readonly nothingYet: string;
};

const pt: CheckoutWords = {
  pay: 'Pagar {}',
  payTo: 'Pagar {} – {}',
  items: 'Ver o que está incluído',
  total: 'Total',
  howToPay: 'Como você quer pagar?',
  otherWay: 'Tente de outro jeito',
  methods: {
    pix: ['Pix', 'Aprovado em segundos, pelo app do seu banco'],
    credit_card: ['Cartão de crédito', 'À vista'],
    voucher: ['Boleto', 'Leva de 1 a 2 dias úteis depois de pago'],
    banktransfer: ['Transferência bancária', 'Você confirma no site do seu banco'],
    qrcode: ['Código QR', 'Pago com o app da sua carteira'],
  },
  upTo: 'Em até {}x sem juros',
  pixHelp:
    'Geramos um código. Você paga no app do seu banco, e esta página mostra o pagamento assim que ele chegar.',
  begin: {
    pix: 'Gerar Pix de {}',
    credit_card: 'Pagar {}',
    voucher: 'Gerar boleto de {}',
    banktransfer: 'Transferir {}',
    qrcode: 'Gerar código QR de {}',
  },
  fields: {
    name: 'Nome completo',
    email: 'E-mail',
    documentType: 'Tipo de documento',
    document: 'Documento',
    bankName: 'Seu banco',
    number: 'Número do cartão',
    expiry: 'Validade',
    cvv: 'Código (CVV)',
    holderName: 'Nome impresso no cartão',
    installments: 'Parcelas',
    save: 'Guardar este cartão para as minhas próximas compras em {}',
  },
  cpfOrCnpj: 'CPF ou CNPJ de quem paga',
  documentWhy: 'É obrigatório para esta forma de pagamento.',
  expiryFormat: 'MM/AA',
  codeHint: '3 números no verso, 4 na frente do Amex',
  faults: {
    name: 'Escreva seu nome completo.',
    email: 'Confira o e-mail.',
    documentType: 'Escolha o tipo de documento.',
    document: 'Confira o documento: um dígito não bate.',
    bankName: 'Escreva o nome do seu banco.',
    number: 'Confira o número do cartão.',
    expiry: 'Confira a validade: mês e ano, como 08/29.',
    cvv: 'Confira o código de segurança.',
    holderName: 'Escreva o nome como está no cartão.',
    installments: 'Escolha as parcelas.',
    save: 'Marque que você concorda.',
  },
  brandNotTaken: 'Esta loja não aceita esta bandeira. Use outro cartão.',
  installmentsNotOffered: 'Este cartão aceita menos parcelas. Escolha outro número.',
  oneInstallment: '1x de {}, à vista',
  installments: '{}x de {}, sem juros',
  installmentsFirst: '{}x de {} (1ª de {}), sem juros',
  saved: 'Este cartão fica guardado para as próximas compras em {}.',
  assure: 'Os dados do cartão vão direto para o Portico por uma conexão cifrada. {} não os recebe.',
  backWithoutPaying: 'Voltar para {} sem pagar',
  processedBy: 'processa este pagamento para {}.',
  testNote: 'Ambiente de teste: nenhum dinheiro é movimentado.',
  simulatePaid: 'Simular pagamento',
  simulateFailed: 'Simular falha',
  nothingCharged: 'Nada foi cobrado.',
  refused: [
    'O banco não aprovou',
    'O banco não disse por quê. Use outro cartão, pague de outro jeito ou fale com o banco.',
  ],
  insufficientFunds: [
    'O banco não aprovou: limite insuficiente',
    'Use outro cartão ou pague de outro jeito. Mais parcelas não ajudam: o banco reserva o valor inteiro.',
  ],
  notAuthenticated: [
    'Seu banco não confirmou que é você',
    'Tente de novo com o celular por perto, ou pague de outro jeito.',
  ],
  ended: ['O pagamento anterior terminou sem ser pago', 'Você pode pagar de novo, como preferir.'],
  checkFields: 'Confira os campos marcados.',
  tryAgain: ['Não conseguimos falar com o banco', 'Tente de novo em alguns minutos.'],
  proofNeeded: [
    'Muitas tentativas deste endereço',
    'Escreva os dados do cartão outra vez. Com JavaScript ligado a página confirma que você é uma pessoa.',
  ],
  notNow: ['A loja não pode receber assim agora', 'Escolha outra forma de pagamento, ou fale com a loja.'],
  taken: [
    'Este link não pode ser pago agora',
    'Outro pagamento está em andamento, talvez o seu em outra janela. Se ele não for concluído, o link fica livre.',
  ],
  waiting: 'Aguardando seu pagamento',
  followsByItself: 'Esta página muda sozinha quando ele chegar.',
  validFor: 'vale por',
  until: 'até {}',
  pixTitle: 'Pague com Pix',
  pixCode: 'Código Pix',
  copyPix: 'Copiar código Pix',
  pixSteps: [
    'Copie o código acima.',
    'No app do seu banco escolha Pix, depois Pix copia e cola, e cole o código.',
    'Confira se aparecem {} e {}, confirme e volte para cá.',
  ],
  pixImage: 'Código Pix em imagem',
  withCamera: 'Com a câmera do celular',
  voucherTitle: 'Seu boleto está pronto',
  voucherHelp: 'Depois de pago, o banco leva de 1 a 2 dias úteis para avisar.',
  voucherLine: 'Código de barras em números',
  copyLine: 'Copiar os números',
  barcode: 'Código de barras do boleto',
  payUntil: 'Pague até',
  beneficiary: 'Beneficiário',
  openVoucher: 'Abrir o boleto',
  print: 'Imprimir ou salvar em PDF',
  transferTitle: 'Continue no seu banco',
  transferHelp: 'Você confirma a transferência na página do banco e depois volta para cá.',
  toBank: 'Ir para o banco',
  qrTitle: 'Pague com o código QR',
  qrHelp: 'Abra o app da sua carteira e aponte a câmera para a imagem.',
  qrImage: 'Código QR do pagamento',
  openPage: 'Abrir a página de pagamento',
  authenticateTitle: 'Seu banco quer confirmar que é você',
  authenticateHelp:
    'É uma proteção para o seu cartão. Nada foi cobrado ainda. Tenha o celular por perto: você confirma na página do banco e volta para cá.',
  continueAtBank: 'Continuar no banco',
  neverPassword: 'Nem o Portico nem a loja pedem a senha do seu banco.',
  checkingTitle: 'Estamos conferindo com o banco',
  checkingHelp: 'Costuma levar alguns segundos. Não pague de novo: esta página muda sozinha.',
  analysisTitle: 'O pagamento está em análise',
  analysisHelp: 'A análise pode levar algumas horas. Não pague de novo. Este endereço mostra o resultado.',
  lookNow: 'Já paguei, verificar agora',
  change: 'Pagar de outro jeito',
  changeNote: 'O pagamento que espera por você deixa de valer.',
  setup: {
    heading: 'Salve seu cartão',
    note: 'Nada é cobrado agora. {} poderá usar este cartão nos pagamentos que você combinar.',
    legend: 'Cartão',
    consent: 'Concordo que {} guarde este cartão e cobre nele os pagamentos que eu combinar com a loja.',
    button: 'Salvar cartão',
    done: 'Cartão salvo',
  },
  subscription: {
    trial: 'Os primeiros {} dias são grátis.',
    button: 'Assinar',
    done: 'Assinatura iniciada',
    note: 'Nada foi cobrado ainda. {} cobra neste cartão quando o período grátis terminar.',
  },
  paidTitle: 'Pagamento aprovado',
  backTo: 'Voltar para {}',
  backIn: 'Voltando em {} segundos.',
  stay: 'Ficar aqui',
  receipt: 'Recibo',
  method: 'Forma',
  cardEnding: 'Cartão {} final {}',
  validUntil: 'Válido até {}',
  installmentsTerm: 'Parcelas',
  date: 'Data',
  soldBy: 'Vendido por',
  payment: 'Pagamento',
  refunded: 'Este pagamento foi devolvido.',
  receiptNote: 'Este recibo não substitui a nota fiscal, que a loja emite.',
  expiredTitle: 'O prazo para pagar terminou',
  expiredHelp: 'Ainda quer pagar? Comece de novo na loja.',
  cancelledTitle: 'A loja cancelou este pagamento',
  cancelledHelp: 'Se ainda quer pagar, fale com a loja.',
  tooManyTitle: 'Por segurança, este pedido foi encerrado',
  tooManyHelp: 'Foram muitas tentativas sem sucesso. Comece outro pedido na loja.',
  goneTitle: 'Este endereço não abre nenhum pagamento',
  goneHelp: 'Confira o endereço ou peça outro à loja.',
  links: {
    paid: [
      'Este link já foi pago',
      'Não há nada a pagar aqui. Foi você? O recibo está na página em que você pagou. Não foi? Peça outro link a quem enviou este.',
    ],
    held: [
      'Outra pessoa está pagando este link',
      'Se ela não concluir, o link fica livre. Abra esta página de novo em alguns minutos.',
    ],
    inactive: [
      'Este link não recebe pagamentos',
      'O prazo terminou ou a loja o encerrou. Peça um link novo à loja.',
    ],
    tooMany: ['Muitas tentativas deste endereço', 'Espere um minuto e tente de novo. Nada foi cobrado.'],
    chooseAmount: 'Você escolhe o valor. Depois escolhe como pagar.',
    amount: 'Quanto você quer pagar?',
    range: 'De {} a {}.',
    amountFault: 'Escolha um valor de {} a {}.',
    yourData: 'Seus dados',
    phone: 'Telefone',
    country: 'País',
    missing: 'Preencha este campo.',
    choose: 'Escolher como pagar',
    nothingYet: 'Nada é cobrado ainda.',
  },
  toShop: 'Ir para {}',
  copied: 'Copiado',
  sending: 'Pagando…',
  preparing: 'Preparando…',
  offline: 'A conexão caiu. Tente de novo: você não paga duas vezes.',
};

const es: CheckoutWords = {
  pay: 'Pagar {}',
  payTo: 'Pagar {} – {}',
  items: 'Ver qué incluye',
  total: 'Total',
  howToPay: '¿Cómo quiere pagar?',
  otherWay: 'Intente de otra forma',
  methods: {
    pix: ['Pix', 'Aprobado en segundos, con la app de su banco'],
    credit_card: ['Tarjeta de crédito', 'En un pago'],
    voucher: ['Cupón de pago', 'Tarda de 1 a 2 días hábiles después de pagado'],
    banktransfer: ['Transferencia bancaria', 'Usted confirma en el sitio de su banco'],
    qrcode: ['Código QR', 'Pagado con la app de su billetera'],
  },
  upTo: 'Hasta {} cuotas sin interés',
  pixHelp:
    'Generamos un código. Usted paga en la app de su banco, y esta página muestra el pago apenas llega.',
  begin: {
    pix: 'Generar Pix de {}',
    credit_card: 'Pagar {}',
    voucher: 'Generar cupón de {}',
    banktransfer: 'Transferir {}',
    qrcode: 'Generar código QR de {}',
  },
  fields: {
    name: 'Nombre completo',
    email: 'Correo electrónico',
    documentType: 'Tipo de documento',
    document: 'Documento',
    bankName: 'Su banco',
    number: 'Número de la tarjeta',
    expiry: 'Vencimiento',
    cvv: 'Código (CVV)',
    holderName: 'Nombre en la tarjeta',
    installments: 'Cuotas',
    save: 'Guardar esta tarjeta para mis próximas compras en {}',
  },
  cpfOrCnpj: 'CPF o CNPJ de quien paga',
  documentWhy: 'Es obligatorio para esta forma de pago.',
  expiryFormat: 'MM/AA',
  codeHint: '3 números al dorso, 4 al frente de Amex',
  faults: {
    name: 'Escriba su nombre completo.',
    email: 'Revise el correo electrónico.',
    documentType: 'Elija el tipo de documento.',
    document: 'Revise el documento: un dígito no coincide.',
    bankName: 'Escriba el nombre de su banco.',
    number: 'Revise el número de la tarjeta.',
    expiry: 'Revise el vencimiento: mes y año, como 08/29.',
    cvv: 'Revise el código de seguridad.',
    holderName: 'Escriba el nombre como figura en la tarjeta.',
    installments: 'Elija las cuotas.',
    save: 'Marque que está de acuerdo.',
  },
  brandNotTaken: 'Esta tienda no acepta esta marca. Use otra tarjeta.',
  installmentsNotOffered: 'Esta tarjeta acepta menos cuotas. Elija otro número.',
  oneInstallment: '1 pago de {}',
  installments: '{} cuotas de {}, sin interés',
  installmentsFirst: '{} cuotas de {} (1.ª de {}), sin interés',
  saved: 'Esta tarjeta queda guardada para las próximas compras en {}.',
  assure: 'Los datos de la tarjeta van directo a Portico por una conexión cifrada. {} no los recibe.',
  backWithoutPaying: 'Volver a {} sin pagar',
  processedBy: 'procesa este pago para {}.',
  testNote: 'Entorno de prueba: no se mueve dinero.',
  simulatePaid: 'Simular pago',
  simulateFailed: 'Simular falla',
  nothingCharged: 'No se cobró nada.',
  refused: [
    'El banco no aprobó',
    'El banco no dijo por qué. Use otra tarjeta, pague de otra forma o llame al banco.',
  ],
  insufficientFunds: [
    'El banco no aprobó: fondos insuficientes',
    'Use otra tarjeta o pague de otra forma. Más cuotas no ayudan: el banco reserva el importe entero.',
  ],
  notAuthenticated: [
    'Su banco no confirmó su identidad',
    'Intente otra vez con el teléfono a mano, o pague de otra forma.',
  ],
  ended: ['El pago anterior terminó sin ser pagado', 'Puede pagar de nuevo, como prefiera.'],
  checkFields: 'Revise los campos marcados.',
  tryAgain: ['No pudimos hablar con el banco', 'Intente otra vez en unos minutos.'],
  proofNeeded: [
    'Demasiados intentos desde esta dirección',
    'Escriba otra vez los datos de la tarjeta. Con JavaScript activo la página confirma que usted es una persona.',
  ],
  notNow: ['La tienda no puede cobrar así ahora', 'Elija otra forma de pago, o hable con la tienda.'],
  taken: [
    'Este enlace no se puede pagar ahora',
    'Otro pago está en curso, tal vez el suyo en otra ventana. Si no se concluye, el enlace queda libre.',
  ],
  waiting: 'Esperando su pago',
  followsByItself: 'Esta página cambia sola cuando llega.',
  validFor: 'vale por',
  until: 'hasta {}',
  pixTitle: 'Pague con Pix',
  pixCode: 'Código Pix',
  copyPix: 'Copiar código Pix',
  pixSteps: [
    'Copie el código de arriba.',
    'En la app de su banco elija Pix, después Pix copia e cola, y pegue el código.',
    'Revise que aparezcan {} y {}, confirme y vuelva aquí.',
  ],
  pixImage: 'Código Pix en imagen',
  withCamera: 'Con la cámara del teléfono',
  voucherTitle: 'Su cupón está listo',
  voucherHelp: 'Después de pagado, el banco tarda de 1 a 2 días hábiles en avisar.',
  voucherLine: 'Código de barras en números',
  copyLine: 'Copiar los números',
  barcode: 'Código de barras del cupón',
  payUntil: 'Pague hasta',
  beneficiary: 'Beneficiario',
  openVoucher: 'Abrir el cupón',
  print: 'Imprimir o guardar en PDF',
  transferTitle: 'Siga en su banco',
  transferHelp: 'Usted confirma la transferencia en la página del banco y después vuelve aquí.',
  toBank: 'Ir al banco',
  qrTitle: 'Pague con el código QR',
  qrHelp: 'Abra la app de su billetera y apunte la cámara a la imagen.',
  qrImage: 'Código QR del pago',
  openPage: 'Abrir la página de pago',
  authenticateTitle: 'Su banco quiere confirmar que es usted',
  authenticateHelp:
    'Es una protección para su tarjeta. Todavía no se cobró nada. Tenga el teléfono a mano: usted confirma en la página del banco y vuelve aquí.',
  continueAtBank: 'Seguir en el banco',
  neverPassword: 'Ni Portico ni la tienda piden la clave de su banco.',
  checkingTitle: 'Estamos consultando al banco',
  checkingHelp: 'Suele tardar unos segundos. No pague otra vez: esta página cambia sola.',
  analysisTitle: 'El pago está en análisis',
  analysisHelp:
    'El análisis puede tardar unas horas. No pague otra vez. Esta dirección muestra el resultado.',
  lookNow: 'Ya pagué, ver ahora',
  change: 'Pagar de otra forma',
  changeNote: 'El pago que espera por usted deja de valer.',
  setup: {
    heading: 'Guarde su tarjeta',
    note: 'No se cobra nada ahora. {} podrá usar esta tarjeta en los pagos que usted acuerde.',
    legend: 'Tarjeta',
    consent: 'Acepto que {} guarde esta tarjeta y cobre en ella los pagos que yo acuerde con la tienda.',
    button: 'Guardar tarjeta',
    done: 'Tarjeta guardada',
  },
  subscription: {
    trial: 'Los primeros {} días son gratis.',
    button: 'Suscribirse',
    done: 'Suscripción iniciada',
    note: 'Todavía no se cobró nada. {} cobra en esta tarjeta cuando termine el período gratis.',
  },
  paidTitle: 'Pago aprobado',
  backTo: 'Volver a {}',
  backIn: 'Volviendo en {} segundos.',
  stay: 'Quedarme aquí',
  receipt: 'Recibo',
  method: 'Forma',
  cardEnding: 'Tarjeta {} terminada en {}',
  validUntil: 'Válida hasta {}',
  installmentsTerm: 'Cuotas',
  date: 'Fecha',
  soldBy: 'Vendido por',
  payment: 'Pago',
  refunded: 'Este pago fue devuelto.',
  receiptNote: 'Este recibo no reemplaza la factura, que emite la tienda.',
  expiredTitle: 'El plazo para pagar terminó',
  expiredHelp: '¿Todavía quiere pagar? Empiece de nuevo en la tienda.',
  cancelledTitle: 'La tienda canceló este pago',
  cancelledHelp: 'Si todavía quiere pagar, hable con la tienda.',
  tooManyTitle: 'Por seguridad, este pedido se cerró',
  tooManyHelp: 'Hubo demasiados intentos sin éxito. Empiece otro pedido en la tienda.',
  goneTitle: 'Esta dirección no abre ningún pago',
  goneHelp: 'Revise la dirección o pida otra a la tienda.',
  links: {
    paid: [
      'Este enlace ya fue pagado',
      'No hay nada que pagar aquí. ¿Fue usted? El recibo está en la página donde pagó. ¿No fue? Pida otro enlace a quien envió este.',
    ],
    held: [
      'Otra persona está pagando este enlace',
      'Si no concluye, el enlace queda libre. Abra esta página de nuevo en unos minutos.',
    ],
    inactive: [
      'Este enlace no recibe pagos',
      'El plazo terminó o la tienda lo cerró. Pida un enlace nuevo a la tienda.',
    ],
    tooMany: [
      'Demasiados intentos desde esta dirección',
      'Espere un minuto e intente de nuevo. No se cobró nada.',
    ],
    chooseAmount: 'Usted elige el importe. Después elige cómo pagar.',
    amount: '¿Cuánto quiere pagar?',
    range: 'De {} a {}.',
    amountFault: 'Elija un importe de {} a {}.',
    yourData: 'Sus datos',
    phone: 'Teléfono',
    country: 'País',
    missing: 'Complete este campo.',
    choose: 'Elegir cómo pagar',
    nothingYet: 'Todavía no se cobra nada.',
  },
  toShop: 'Ir a {}',
  copied: 'Copiado',
  sending: 'Pagando…',
  preparing: 'Preparando…',
  offline: 'Se cortó la conexión. Intente otra vez: no pagará dos veces.',
};

const en: CheckoutWords = {
  pay: 'Pay {}',
  payTo: 'Pay {} – {}',
  items: 'What is in it',
  total: 'Total',
  howToPay: 'How would you like to pay?',
  otherWay: 'Try another way',
  methods: {
    pix: ['Pix', 'Paid within seconds, from your bank’s app'],
    credit_card: ['Credit card', 'In one payment'],
    voucher: ['Boleto or voucher', 'Takes 1 to 2 working days once paid'],
    banktransfer: ['Bank transfer', 'You confirm at your bank’s site'],
    qrcode: ['QR code', 'Paid with the app of your wallet'],
  },
  upTo: 'Up to {} instalments, no interest',
  pixHelp:
    'We create a code. You pay it in your bank’s app, and this page shows the payment as soon as it arrives.',
  begin: {
    pix: 'Create Pix code for {}',
    credit_card: 'Pay {}',
    voucher: 'Create voucher for {}',
    banktransfer: 'Transfer {}',
    qrcode: 'Create QR code for {}',
  },
  fields: {
    name: 'Full name',
    email: 'E-mail',
    documentType: 'Kind of document',
    document: 'Document',
    bankName: 'Your bank',
    number: 'Card number',
    expiry: 'Expiry date',
    cvv: 'Security code',
    holderName: 'Name on the card',
    installments: 'Instalments',
    save: 'Save this card for my next purchases at {}',
  },
  cpfOrCnpj: 'CPF or CNPJ of the payer',
  documentWhy: 'It is required for this way to pay.',
  expiryFormat: 'MM/YY',
  codeHint: '3 digits on the back, 4 on the front of Amex',
  faults: {
    name: 'Enter your full name.',
    email: 'Check the e-mail address.',
    documentType: 'Choose the kind of document.',
    document: 'Check the document: one digit is wrong.',
    bankName: 'Enter the name of your bank.',
    number: 'Check the card number.',
    expiry: 'Enter month and year, like 08/29.',
    cvv: 'Check the security code.',
    holderName: 'Enter the name as it is on the card.',
    installments: 'Choose the instalments.',
    save: 'Tick that you agree.',
  },
  brandNotTaken: 'This shop does not take cards of this brand. Use another card.',
  installmentsNotOffered: 'This card takes fewer instalments. Choose another number.',
  oneInstallment: '1 payment of {}',
  installments: '{} × {}, no interest',
  installmentsFirst: '{} × {} (first {}), no interest',
  saved: 'This card is saved for the next purchases at {}.',
  assure: 'Card data goes straight to Portico over an encrypted connection. {} does not receive it.',
  backWithoutPaying: 'Back to {} without paying',
  processedBy: 'processes this payment for {}.',
  testNote: 'Test environment: no money moves.',
  simulatePaid: 'Simulate payment',
  simulateFailed: 'Simulate failure',
  nothingCharged: 'Nothing was charged.',
  refused: [
    'The bank said no',
    'The bank gave no reason. Use another card, pay in another way or ask the bank.',
  ],
  insufficientFunds: [
    'The bank said no: not enough funds',
    'Use another card or pay in another way. More instalments do not help: the bank holds the whole amount.',
  ],
  notAuthenticated: [
    'Your bank did not confirm that it is you',
    'Try again with your phone at hand, or pay in another way.',
  ],
  ended: ['The payment before has ended unpaid', 'You can pay again, in the way that you like.'],
  checkFields: 'Check the marked fields.',
  tryAgain: ['We could not reach the bank', 'Try again in some minutes.'],
  proofNeeded: [
    'Many attempts from this address',
    'Enter the card once more. With JavaScript on, the page confirms that you are a person.',
  ],
  notNow: ['The shop cannot be paid like this now', 'Choose another way to pay, or ask the shop.'],
  taken: [
    'This link cannot be paid now',
    'Another payment is under way, perhaps your own in another window. If it comes to nothing, the link is free again.',
  ],
  waiting: 'Waiting for your payment',
  followsByItself: 'This page changes by itself when it arrives.',
  validFor: 'valid for',
  until: 'until {}',
  pixTitle: 'Pay with Pix',
  pixCode: 'Pix code',
  copyPix: 'Copy Pix code',
  pixSteps: [
    'Copy the code above.',
    'In your bank’s app choose Pix, then Pix copia e cola, and paste the code.',
    'Check that it says {} and {}, confirm, and come back here.',
  ],
  pixImage: 'Pix code as an image',
  withCamera: 'With your phone’s camera',
  voucherTitle: 'Your voucher is ready',
  voucherHelp: 'Once paid, the bank takes 1 to 2 working days to tell us.',
  voucherLine: 'Barcode in digits',
  copyLine: 'Copy the digits',
  barcode: 'Barcode of the voucher',
  payUntil: 'Pay until',
  beneficiary: 'Paid to',
  openVoucher: 'Open the voucher',
  print: 'Print or save as PDF',
  transferTitle: 'Go on at your bank',
  transferHelp: 'You confirm the transfer at the page of the bank and come back here.',
  toBank: 'Go to the bank',
  qrTitle: 'Pay with the QR code',
  qrHelp: 'Open the app of your wallet and point the camera at the image.',
  qrImage: 'QR code of the payment',
  openPage: 'Open the payment page',
  authenticateTitle: 'Your bank wants to confirm that it is you',
  authenticateHelp:
    'It protects your card. Nothing has been charged yet. Have your phone at hand: you confirm at the page of the bank and come back here.',
  continueAtBank: 'Continue at the bank',
  neverPassword: 'Neither Portico nor the shop ask for the password of your bank.',
  checkingTitle: 'We are checking with the bank',
  checkingHelp: 'This takes some seconds as a rule. Do not pay again: the page changes by itself.',
  analysisTitle: 'The payment is being reviewed',
  analysisHelp: 'The review can take some hours. Do not pay again. This address shows the outcome.',
  lookNow: 'I have paid, look now',
  change: 'Pay in another way',
  changeNote: 'The payment that waits for you then stops working.',
  setup: {
    heading: 'Save your card',
    note: 'Nothing is charged now. {} can use this card for the payments that you agree on.',
    legend: 'Card',
    consent: 'I agree that {} keeps this card and charges it for the payments that I agree on with the shop.',
    button: 'Save card',
    done: 'Card saved',
  },
  subscription: {
    trial: 'The first {} days are free.',
    button: 'Subscribe',
    done: 'Subscription started',
    note: 'Nothing was charged yet. {} charges this card once the free days are over.',
  },
  paidTitle: 'Payment approved',
  backTo: 'Back to {}',
  backIn: 'Going back in {} seconds.',
  stay: 'Stay here',
  receipt: 'Receipt',
  method: 'Paid by',
  cardEnding: '{} card ending in {}',
  validUntil: 'Valid until {}',
  installmentsTerm: 'Instalments',
  date: 'Date',
  soldBy: 'Sold by',
  payment: 'Payment',
  refunded: 'This payment was given back.',
  receiptNote: 'This receipt does not replace the invoice, which the shop issues.',
  expiredTitle: 'The time to pay is over',
  expiredHelp: 'Do you still want to pay? Start again at the shop.',
  cancelledTitle: 'The shop has cancelled this payment',
  cancelledHelp: 'If you still want to pay, talk to the shop.',
  tooManyTitle: 'For safety this order was closed',
  tooManyHelp: 'There were too many attempts without success. Start another order at the shop.',
  goneTitle: 'This address opens no payment',
  goneHelp: 'Check the address, or ask the shop for another one.',
  links: {
    paid: [
      'This link has been paid',
      'There is nothing to pay here. Was it you? The receipt is on the page where you paid. It was not? Ask for another link.',
    ],
    held: [
      'Somebody else is paying this link',
      'If that comes to nothing, the link is free again. Open this page again in some minutes.',
    ],
    inactive: [
      'This link takes no payments',
      'Its time is over, or the shop has closed it. Ask the shop for a new link.',
    ],
    tooMany: ['Many attempts from this address', 'Wait a minute and try again. Nothing was charged.'],
    chooseAmount: 'You choose the amount, and then how to pay.',
    amount: 'How much would you like to pay?',
    range: 'From {} to {}.',
    amountFault: 'Choose an amount from {} to {}.',
    yourData: 'Your data',
    phone: 'Phone',
    country: 'Country',
    missing: 'Fill in this field.',
    choose: 'Choose how to pay',
    nothingYet: 'Nothing is charged yet.',
  },
  toShop: 'Go to {}',
  copied: 'Copied',
  sending: 'Paying…',
  preparing: 'Preparing…',
  offline: 'The connection was lost. Try again: you do not pay twice.',
};

const WORDS = { pt, es, en };

export const wordsOf = (locale: Locale): CheckoutWords => WORDS[locale.slice(0, 2) as keyof typeof WORDS];
