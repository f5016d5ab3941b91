import { sessionHeaders } from '../../requests/access/session.ts'
import { ApiError } from '../../platform/errors.ts'
import { jsonAnswer, type OpenEndpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { startSession } from '../users/session-service.ts'
import { toSignInOrigin } from '../users/session.ts'
import { VERSION } from '../../platform/version.ts'
import { setUpForm, start } from './organization.ts'
import { isEmpty, isOpenSetupToken, setUp } from './service.ts'
import { findDemoPeople } from './demo-service.ts'
import { showSession } from './session-service.ts'
import { session } from './signed-in.ts'

/** `GET /ui/start`: returns whether the database is set up and, in the demo, who can sign in. */
export const getStart: OpenEndpoint = {
  operation: 'getStart',
  summary: 'Show whether the database is set up',
  lane: 'point',
  permission: 'public',
  answers: { 200: { description: 'The state that the first page shows', schema: start } },
  async handle({ services }) {
    const isSetUp = !(await isEmpty(services.db))
    const demoPeople = await findDemoPeople(services)
    return jsonAnswer(200, start, { isSetUp, version: VERSION, demoPeople })
  },
}

/** `POST /ui/set-up`: creates the first organization and its owner with the one-time setup link. */
export const setUpStore: OpenEndpoint = {
  operation: 'setUpStore',
  summary: 'Set up an empty database with the one-time link from the log',
  permission: 'public',
  body: formBody(setUpForm, "The link's token, the organization and its first owner"),
  answers: {
    201: {
      description: 'The database is set up, and the owner is signed in',
      schema: session,
      headers: { 'set-cookie': 'The session' },
    },
    404: describeError('The link is used or unknown'),
  },
  async handle(call) {
    const { services, body } = call
    const { db, clock } = services
    const { token, ...owner } = readForm(body, setUpForm)
    const created = (await isOpenSetupToken(db, token)) ? await setUp(services, owner) : undefined
    if (created === undefined) {
      throw new ApiError(
        'not_found',
        'This setup link is used or unknown. The server log contains the current one.',
      )
    }
    const start = { ...toSignInOrigin(call), method: 'set-up' } as const
    const secret = await startSession(db, clock, created.userId, start)
    const reach = { userId: created.userId, limitedTo: undefined }
    const signedIn = await showSession(db, reach, created.organizationId)
    return jsonAnswer(201, session, signedIn, sessionHeaders(secret))
  },
}
