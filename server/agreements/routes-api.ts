import type { Route } from '../requests/http/endpoint.ts'
import { route } from '../requests/http/route.ts'
import * as agreements from './api.ts'
import * as provisioning from './provisioning-api.ts'
import { REPORT_NAMES } from './provisioning.ts'

/** The addresses of access agreements, also under the name that older clients use. */
export const AGREEMENT_ROUTES: readonly Route[] = [
  ...agreementRoutes('/api/access', 'Access'),
  route('GET', '/api/access/{id}/provisioning', provisioning.getAccessProvisioning),
  route('PUT', '/api/access/{id}/provisioning', provisioning.putAccessProvisioning),
  ...REPORT_NAMES.map((name) =>
    route(
      'POST',
      `/api/access/{id}/provisioning/${name}`,
      provisioning.createReportProvisioning(name),
    ),
  ),
  ...agreementRoutes('/api/datausageagreements', 'DataUsageAgreement'),
]

function agreementRoutes(path: `/api/${string}`, alias: agreements.AgreementAlias): Route[] {
  const at = `${path}/{id}` as const
  return [
    route('GET', path, agreements.createListAgreements(alias)),
    route('GET', at, agreements.createGetAgreement(alias)),
    route('PUT', at, agreements.createPutAgreement(alias)),
    route('DELETE', at, agreements.createDeleteAgreement(alias)),
    ...(['approve', 'reject', 'cancel'] as const).map((name) =>
      route('POST', `${at}/${name}`, agreements.createDecideAgreement(alias, name)),
    ),
  ]
}
