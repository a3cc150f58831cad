/** The script `/js/portico-1.1.0.js` of a gateway in the page of a shop: `window.Portico`. */
export type PorticoInPage = (publicKey: string) => {
  /** Puts the fields of a card into an element, in an iframe of the gateway that the page cannot read. */
  cardFields(element: PageElement, options?: CardFieldsOptions): CardFields;
};

/** An element of the page, such as a `div`. */
type PageElement = { replaceChildren(...nodes: readonly unknown[]): void };

export type CardFieldsOptions = {
  /** Asks for the security code of a stored card (`paymentMethodId`) alone. */
  readonly only?: 'cvv';
  /** Such as `pm_…`; only with `only`. */
  readonly paymentMethodId?: string;
  /** The language of the payer's browser by default. */
  readonly locale?: 'pt' | 'es' | 'en';
  readonly style?: CardFieldsStyle;
  /** Title of the iframe, for screen readers; `Card` by default. */
  readonly title?: string;
  /** Hears whether all fields are filled in, and never what with. */
  readonly onChange?: (change: { readonly isComplete: boolean }) => void;
};

/** Values of CSS without `url()`; any other is left out. */
export type CardFieldsStyle = {
  readonly color?: string;
  readonly softColor?: string;
  /** Background of the page around the fields. */
  readonly ground?: string;
  readonly fieldColor?: string;
  readonly borderColor?: string;
  readonly borderWidth?: string;
  readonly borderRadius?: string;
  readonly padding?: string;
  readonly fontSize?: string;
  readonly fontWeight?: string;
  readonly colorScheme?: 'light' | 'dark' | 'auto';
};

export type CardFields = {
  /** Settles once the fields can be used. */
  readonly ready: Promise<void>;
  /** `currency` (ISO 4217) is that of the charge; the merchant's first by default. */
  tokenize(options?: { readonly currency?: string }): Promise<Tokenized>;
  update(style: CardFieldsStyle): Promise<void>;
  clear(): Promise<void>;
  remove(): void;
};

/**
 * A card token (`tok_…`), or the reason why there is none. Your server reads from the answer to its charge what may be
 * shown of the card.
 */
export type Tokenized =
  | { readonly token: string }
  | {
      readonly error: {
        /** `FIELD_INVALID`, `UNAVAILABLE`, or a code of `POST /v1/card-tokens`. */
        readonly code: string;
        readonly message: string;
        readonly field: 'number' | 'expiry' | 'cvv' | 'holderName' | null;
      };
    };
