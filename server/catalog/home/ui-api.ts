import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { firstSteps, home } from './home.ts'
import { loadFirstSteps, loadHome } from './service.ts'

/** `GET /ui/home`: returns the data of the home page. */
export const getHome: Endpoint = {
  operation: 'getHome',
  summary: "List the caller's products, this week's changes and what needs the caller's attention",
  lane: 'scan',
  permission: 'a session',
  answers: { 200: { description: 'The home page', schema: home } },
  async handle({ services, caller }) {
    return jsonAnswer(200, home, await loadHome(services, caller))
  },
}

/** `GET /ui/first-steps`: returns which first steps are done. */
export const getFirstSteps: Endpoint = {
  operation: 'getFirstSteps',
  summary: 'Show which first steps of a new catalog are done',
  lane: 'scan',
  permission: 'a session',
  answers: { 200: { description: 'The steps', schema: firstSteps } },
  async handle({ services, caller }) {
    return jsonAnswer(200, firstSteps, await loadFirstSteps(services, caller))
  },
}
