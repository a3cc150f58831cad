import { GatewayError, type InputFault } from '../../kernel/errors.ts';
import { refuseCardData } from './card-data.ts';

const PAN = '4242424242424242';

const faultOf = (value: unknown, except?: readonly string[]): InputFault | undefined => {
  try {
    refuseCardData(value, except);
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError && error.statusCode === 400) return error.errors?.[0];
    throw error;
  }
};

describe('a request', () => {
  it.each<[unknown, string]>([
    [{ note: `card ${PAN}` }, 'note'],
    [{ metadata: { deep: [{ card: Number(PAN) }] } }, 'metadata.deep.0.card'],
    [{ amount: 42424242.42424242 }, 'amount'],
    [[1, [PAN]], '1.0'],
    [PAN, ''],
  ])('with a card number is refused where that is: %j', (value, path) => {
    expect(faultOf(value)).toEqual({
      path,
      message: `${path || 'The request'} must not contain a card number`,
    });
  });

  it('with a card number in a name is refused where the name is, which is not repeated', () => {
    expect(faultOf({ metadata: { [`x ${PAN}`]: 1 } })).toEqual({
      path: 'metadata',
      message: 'metadata must not have a name that contains a card number',
    });
    expect(faultOf({ '4242': { '4242': { '4242': { '4242': { card: PAN } } } } })?.path).toBe(
      '****.****.****.****.card',
    );
  });

  it.each([
    ...['cvv', 'CVC', 'cvv2', 'card_cvv', 'c.v.v', 'Cvc-Code', 'ｃｖｖ', 'c\u200bvv', 'csc', 'security_code'],
    ...['cvn', 'cvd', 'CV2', 'cav2', 'csc2', 'card_code', 'cardCid', 'verification_value', 'ⓒⓥⓥ', 'сvv'],
    ...['cardVerificationValue', 'código de segurança', 'codigoSeguranca', 'Código de seguridad'],
  ])('with a member named like a security code is refused: %s', (name) => {
    const path = `metadata.${name}`;
    const message = `${path} must not be sent under this name, which is one of a card's security code: those are never stored; call a result of its check otherwise, such as securityCheck`;
    expect(faultOf({ metadata: { [name]: '123' } })).toEqual({ path, message });
  });

  it('may have all else', () => {
    expect(
      faultOf({
        securedBy: 'x',
        accuracy: 1,
        codes: ['cvv'],
        cid: 'a',
        code: 'b',
        amount: 4242.42,
        reference: 'order 4242',
        nothing: null,
      }),
    ).toBeUndefined();
  });

  it('may have a card number where it belongs, and there only', () => {
    const except = ['method.number', 'method.cvv'];
    expect(faultOf({ method: { number: PAN, cvv: '123' } }, except)).toBeUndefined();
    expect(faultOf({ method: { number: { x: PAN } } }, except)).toBeUndefined();
    expect(faultOf({ method: { holder: PAN } }, except)?.path).toBe('method.holder');
    expect(faultOf({ number: PAN }, except)?.path).toBe('number');
    expect(faultOf({ any: { cvv: PAN } }, [''])).toBeUndefined();
  });
});
