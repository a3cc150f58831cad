import { DOCUMENT_TYPES, documentType, isDocumentType } from '../../kernel/national-id.ts';
import {
  dateTime,
  email,
  livemode,
  metadata,
  nullable,
  postalAddress,
  resourceId,
  text,
  timestamps,
} from '../../platform/http/schemas.ts';
import { object, string } from '../../platform/http/typed.ts';

export const TAG = 'Customers';

/** The parameter of a path below a customer. */
export const customerParams = { id: 'Id of the customer, `cus_…`.' };

/** The kind of a payer's document. Blanks around it are removed, and its letters become lower case. */
const documentKind = () =>
  string()
    .max(32)
    .custom((given: string, helpers) => {
      const type = documentType(given);
      return isDocumentType(type)
        ? type
        : helpers.message({ custom: `{{#label}} must be one of ${DOCUMENT_TYPES.join(', ')}` });
    })
    .description(
      `Kind of document in upper or lower case: ${DOCUMENT_TYPES.map((type) => `\`${type}\``).join(', ')}.`,
    );

/** A payer's national identifier in a request; null without one. */
export const customerDocument = () =>
  object({
    type: documentKind().required(),
    id: text(32)
      .required()
      .description(
        'Number of the document. A `cpf` or `cnpj` has to have the right form; its punctuation is removed, and its letters become upper case. A `dni` has 7 or 8 digits. Check digits have to be right.',
      ),
  })
    .label('CustomerDocument')
    .allow(null);

/**
 * A document as it is stored. Older versions accepted any kind, so an answer may have one that is not accepted today.
 */
const storedDocument = () =>
  object({
    type: string().required().description('Kind of document, in lower case.'),
    id: string().required().description('Number of the document; a CPF or CNPJ has no punctuation.'),
  })
    .label('StoredCustomerDocument')
    .allow(null);

const fields = {
  name: text(255).description('Full name.'),
  email: email(),
  document: customerDocument().description('National identifier.'),
  phone: text(32).allow(null).description('Phone number in any notation.'),
  address: postalAddress(),
  reference: text(64)
    .allow(null)
    .description("The merchant's own name for the customer; need not be unique."),
  metadata: metadata().allow(null).description('Free-form, at most 16 KiB as JSON.'),
};

export const newCustomer = object({
  name: fields.name.required(),
  email: fields.email.required(),
  document: fields.document.default(null),
  phone: fields.phone.default(null),
  address: fields.address.default(null),
  reference: fields.reference.default(null),
  metadata: fields.metadata.default(null),
})
  .example({
    name: 'Ana Souza',
    email: 'ana@example.com',
    document: { type: 'cpf', id: '529.982.247-25' },
    reference: 'customer-1001',
  })
  .label('NewCustomer');

export const customerChanges = object(fields)
  .min(1)
  .example({ phone: '+55 11 98765-4321' })
  .label('CustomerChanges');

const ofDeleted = 'Null once the customer is deleted.';

export const customerAnswer = object({
  id: resourceId('cus').required(),
  merchantId: resourceId('mer').required(),
  livemode: livemode().required(),
  name: nullable(string()).description(ofDeleted),
  email: nullable(string()).description(ofDeleted),
  document: storedDocument().required().description('National identifier; null without one.'),
  phone: nullable(string()).description('Phone number; null without one.'),
  address: postalAddress().required(),
  reference: nullable(string()).description("The merchant's own name for the customer; null without one."),
  metadata: metadata().allow(null).required().description('As given; null without any.'),
  deletedAt: nullable(dateTime()).description('When the customer was deleted; null before.'),
  ...timestamps,
}).label('Customer');
