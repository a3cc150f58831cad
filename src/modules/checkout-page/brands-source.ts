/** Brands of cards and how their numbers begin, for scripts of pages; the first one that fits counts. */
export const BRANDS_SOURCE = `[
  ['Elo', /^(4011(78|79)|431274|438935|451416|457393|45763[12]|504175|5067|5090|627780|636297|636368|6500[345]|6504|6516|6550)/],
  ['Hipercard', /^(606282|3841)/],
  ['American Express', /^3[47]/],
  ['Diners Club', /^3(0[0-5]|[689])/],
  ['JCB', /^35/],
  ['Mastercard', /^(5[1-5]|2(2[3-9]|22[1-9]|[3-6]|7[01]|720))/],
  ['Discover', /^6(011|4[4-9]|5)/],
  ['Visa', /^4/],
]`;
