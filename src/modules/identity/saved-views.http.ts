import { notFound } from '../../kernel/errors.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { characters, dateTime, listOf, nullable, resourceId, text } from '../../platform/http/schemas.ts';
import { object, string } from '../../platform/http/typed.ts';
import { sessionOf, USERS_ONLY } from './sessions.http.ts';
import { savedViewLimitReached } from './write/refusals.ts';
import { MOST_VIEWS, type SavedViewId } from './write/saved-view.ts';
import type { SavedViewsStore } from './write/saved-views.store.ts';

const TAG = 'Authentication';

const MEMBERS = {
  screen: 'List that the view belongs to, by its path below `/panel`, such as `charges`.',
  name: 'Name of the view; null for the columns that the user chose last in this list.',
  query: 'Filters, order and columns as the query of an address, such as `status=refused&orderBy=-amount`.',
};

const SCREEN = /^[a-z][a-z-]*(?:\/[a-z-]+)*$/;
const screen = () => string().max(60).pattern(SCREEN).description(MEMBERS.screen);
const NAME_LENGTH = 60;
const QUERY_LENGTH = 2_000;

const viewAnswer = object({
  id: resourceId('viw').required(),
  screen: string().required().description(MEMBERS.screen),
  name: nullable(string()).description(MEMBERS.name),
  query: string().required().description(MEMBERS.query),
  updatedAt: dateTime().required(),
}).label('SavedView');

const newView = object({
  screen: screen().required(),
  name: nullable(text(NAME_LENGTH)).description(MEMBERS.name),
  query: characters(QUERY_LENGTH).allow('').required().description(MEMBERS.query),
})
  .example({ screen: 'charges', name: 'Refused today', query: 'status=refused&orderBy=-createdAt' })
  .label('SavedViewRequest');

/** Views of lists that a user keeps, in both environments. */
export const savedViewRoutes: Routes<{ savedViews: SavedViewsStore }> = ({ savedViews }) => [
  route({
    method: 'get',
    operationId: 'listSavedViews',
    path: '/v1/auth/me/views',
    summary: "List one's own saved views",
    description:
      'Shows the views of lists that the user of the token has saved in either environment. Nobody else sees them.',
    tag: TAG,
    access: USERS_ONLY,
    responses: {
      200: {
        description: 'The views.',
        schema: listOf(viewAnswer, `In the order of their creation, ${MOST_VIEWS} at most.`).label(
          'SavedViews',
        ),
      },
    },
    async handle({ principal }) {
      return { status: 200, body: { data: await savedViews.list(sessionOf(principal).userId) } };
    },
  }),
  route({
    method: 'put',
    operationId: 'saveView',
    path: '/v1/auth/me/views',
    summary: 'Save a view of a list',
    description:
      `Adds a view, or replaces the one of this list with this name. A user has at most ${MOST_VIEWS} views. ` +
      'A payer whom a filter names is kept in it until the view is removed, also after the erasure of a customer.',
    tag: TAG,
    access: USERS_ONLY,
    body: newView,
    responses: { 200: { description: 'The view.', schema: viewAnswer } },
    refusals: [savedViewLimitReached],
    async handle({ principal, body }) {
      return { status: 200, body: await savedViews.put(sessionOf(principal).userId, body) };
    },
  }),
  route({
    method: 'delete',
    operationId: 'removeView',
    path: '/v1/auth/me/views/{id}',
    params: { id: 'Id of the view, `viw_…`.' },
    summary: 'Remove a saved view',
    tag: TAG,
    access: USERS_ONLY,
    responses: { 204: { description: 'The view is removed.' } },
    errors: [404],
    async handle({ principal, params }) {
      if (!(await savedViews.remove(sessionOf(principal).userId, params.id as SavedViewId)))
        throw notFound('View');
      return { status: 204 };
    },
  }),
];
