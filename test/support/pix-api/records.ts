/** Records of the double, and money and problems as the API writes them. */

export type Devolucao = {
  readonly id: string;
  readonly rtrId: string;
  readonly valor: string;
  readonly natureza: string;
  readonly horario: { readonly solicitacao: string; readonly liquidacao?: string };
  status: string;
  motivo?: string;
};
export type Pix = {
  readonly endToEndId: string;
  readonly txid?: string;
  readonly chave: string;
  readonly valor: string;
  readonly horario: string;
  readonly devolucoes: Devolucao[];
};
export class Problem extends Error {
  readonly status: number;
  readonly type: string;
  constructor(status: number, type: string, detail: string) {
    super(detail);
    this.status = status;
    this.type = type;
  }
}

export const cents = (valor: string): number => Number(valor.replace('.', ''));
export const valorOf = (amount: number): string =>
  `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
