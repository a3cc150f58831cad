import { dateTime, nullable, oneOf, resourceId, text as textOf } from '../../platform/http/schemas.ts';
import { boolean, object, string } from '../../platform/http/typed.ts';
import { SUBJECT_TYPES } from './write/note.ts';

export const TAG = 'Notes';
export const noteParams = { id: 'Id of the note, `nte_…`.' };

const TEXT_LENGTH = 2_000;
const text =
  'Text of the note; null once it is deleted. It must not name a payer, because an erasure leaves it as it is.';
const about = 'Id of the record: a charge, a payout request, a merchant or a sub-merchant.';

export const authorAnswer = object({
  kind: string()
    .valid('key', 'user', 'operator', 'system')
    .required()
    .description('`operator`: somebody who works for the gateway.'),
  id: string().required().description('Id of the key or user.'),
  name: nullable(string()).description('Name or e-mail address of the user; null for a key.'),
}).label('NoteAuthor');

export const newNote = object({
  resourceId: textOf(64).required().description(about),
  text: textOf(TEXT_LENGTH)
    .required()
    .description('Text of the note. It must not name a payer, because an erasure leaves it as it is.'),
})
  .example({
    resourceId: 'chg_01a1fe9cad9175e79603dda268ed6486',
    text: 'The customer called and wants to wait.',
  })
  .label('NoteRequest');

export const noteAnswer = object({
  id: resourceId('nte').required(),
  resource: oneOf(SUBJECT_TYPES).description('Kind of the record.'),
  resourceId: string().required().description(about),
  audience: oneOf(['merchant', 'operators']).description(
    'Readers of the note. `operators`: only people who work for the gateway; `merchant`: also the merchant that wrote it, and its master.',
  ),
  merchantId: resourceId('mer')
    .required()
    .description('Merchant that wrote the note; for a note of an operator, the merchant of the record.'),
  livemode: nullable(boolean()).description(
    'Environment of the record; null for a merchant that exists in both.',
  ),
  author: authorAnswer.required().description('Author of the note.'),
  text: nullable(string()).description(text),
  createdAt: dateTime().required(),
}).label('Note');
