import { jsonAnswer, type Endpoint } from '../http/endpoint.ts'
import { about } from './about.ts'
import { describeInstallation } from './service.ts'

/** `GET /ui/about`: returns the information about this installation. */
export const getAbout: Endpoint = {
  operation: 'getAbout',
  summary: 'Get the version and the state of this installation',
  permission: 'a session',
  answers: { 200: { description: 'The installation, as this process sees it', schema: about } },
  async handle({ services }) {
    return jsonAnswer(200, about, await describeInstallation(services))
  },
}
