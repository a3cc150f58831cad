import { invalidInput } from '../../kernel/errors.ts';
import { holdsCardNumber } from './card-numbers.ts';
import { shownPath } from './shown-path.ts';

/**
 * Refuses card data that must not be stored: 400 with the first member that holds a card number, be it in a text, a
 * number or its name, or that is named like a security code. A number with a fraction is taken for an amount or a
 * measurement. Members at the paths `except`, such as `card.number`, are skipped.
 */
export const refuseCardData = (value: unknown, except: readonly string[] = []): void => {
  const skipped = new Set(except);
  const look = (found: unknown, path: readonly string[]): void => {
    if (skipped.has(path.join('.'))) return;
    if (typeof found === 'string' || Number.isInteger(found)) {
      if (holdsCardNumber(String(found))) throw fault(path, `must not contain a card number${HINT}`);
    } else if (typeof found === 'object' && found !== null) {
      for (const [name, member] of Object.entries(found)) {
        const within = [...path, name];
        if (holdsCardNumber(name))
          throw fault(path, `must not have a name that contains a card number${HINT}`);
        if (isSecurityCode(name) && !skipped.has(within.join('.')))
          throw fault(
            within,
            "must not be sent under this name, which is one of a card's security code: those are never stored; call a result of its check otherwise, such as securityCheck",
          );
        look(member, within);
      }
    }
  };
  look(value, []);
};

/** Tells how to avoid a refusal by coincidence, which should not cost a sale. */
const HINT =
  ': a card belongs in its own fields; a number of something else that looks like one is taken with letters or dashes within it';

const fault = (path: readonly string[], message: string): Error => {
  const shown = shownPath(path);
  return invalidInput(
    [{ path: shown, message: `${shown || 'The request'} ${message}` }],
    'CARD_NUMBER_FOUND',
  );
};

/** Names for a card's security code in English, Portuguese and Spanish. */
const SECURITY_CODE =
  /cvv|cvc|^(card)?(cvn|cvd|cv2|cav2|csc2?)$|^card(cid|code)$|securitycode|verificationvalue|cardverification|c[oó]digo(de)?(seguran[cç]a|seguridad)/;
/** Letters of other alphabets that look like letters in the abbreviations. */
const LOOKALIKES: Readonly<Record<string, string>> = { с: 'c', ϲ: 'c', ѵ: 'v', ν: 'v' };

const isSecurityCode = (name: string): boolean =>
  // Marks are removed first, because normalizing a long row of them takes quadratic time.
  SECURITY_CODE.test(
    name
      .replaceAll(/\p{M}/gu, '')
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, '')
      .replaceAll(/[сϲѵν]/gu, (letter) => LOOKALIKES[letter] ?? letter),
  );
