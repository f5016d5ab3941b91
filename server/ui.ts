import { getAbout, getHealth, sendTestMail } from './about/ui-api.ts'
import * as agreementPages from './agreements/ui-api.ts'
import {
  exportActivity,
  getActivity,
  getActivityActors,
  getActivityChanges,
  listPrincipals,
} from './ledger/activity/ui-api.ts'
import { createAnyKey, deleteAnyKey, listKeys } from './people/api-keys/ui-api.ts'
import { getAssetPage, listAssetChildren, listAssetRoots } from './catalog/assets/tree-api.ts'
import * as assetPages from './catalog/assets/ui-api.ts'
import { getDefinitionUses } from './catalog/definitions/ui-api.ts'
import { getDeprecations } from './catalog/deprecations/ui-api.ts'
import { getDomainProducts, getDomains } from './catalog/domains/ui-api.ts'
import { getFirstSteps, getHome } from './catalog/home/ui-api.ts'
import * as follows from './notices/follows/ui-api.ts'
import type { Route } from './requests/http/endpoint.ts'
import { openRoute, personRoute, route } from './requests/http/route.ts'
import * as runPages from './ingestion/runs/ui-api.ts'
import * as integrationPages from './ingestion/integrations/ui-api.ts'
import { getServerSources } from './ingestion/integrations/server-source-api.ts'
import { listSources } from './ingestion/integrations/source-api.ts'
import * as notifications from './notices/notifications/ui-api.ts'
import * as directory from './people/directory/ui-api.ts'
import * as organizations from './people/organizations/api.ts'
import { getHelpers } from './people/organizations/helper-api.ts'
import * as invitations from './people/organizations/invitation-api.ts'
import { endAccessOfPerson } from './agreements/occasion-service.ts'
import * as members from './people/organizations/member-api.ts'
import * as providers from './people/providers/api.ts'
import * as mailDomains from './people/providers/domain-api.ts'
import { getErasure, newPostErasure } from './people/erasure/ui-api.ts'
import { eraseNotices } from './notices/notifications/erasure-service.ts'
import * as resets from './people/organizations/reset-api.ts'
import { getStart, setUpStore } from './people/organizations/setup-api.ts'
import { getTeamRoleUse } from './people/organization-documents/api.ts'
import { getMappedGroups } from './people/organization-documents/mapping-api.ts'
import { getPortExamples } from './documents/plain-records/api.ts'
import * as notificationMails from './notices/notification-mails/ui-api.ts'
import { getSynonyms, putSynonyms } from './documents/search/synonym-api.ts'
import * as tagPages from './catalog/tags/ui-api.ts'
import { listChannelDeliveries, postChannelTest } from './notices/team-channels/ui-api.ts'
import { getAssetPromises } from './reality/promised-by/api.ts'
import { getContractTests, getProductTests } from './reports/test-results/api.ts'
import { getSignInRule, putSignInRule } from './people/organizations/sign-in-rule-api.ts'
import * as identities from './people/sign-ins/identity-api.ts'
import * as providerSignIn from './people/sign-ins/sign-in-api.ts'
import * as users from './people/organizations/session-api.ts'
import * as sessions from './people/users/session-list-api.ts'
import { listEventTypes } from './notices/webhooks/api.ts'

const INTEGRATION_PAGE = '/ui/integrations/{externalId}'
const CHANNEL_NOTIFICATIONS = '/ui/teams/{id}/channels/{channelId}/notifications'
const RUN_PAGE = `${INTEGRATION_PAGE}/runs/{ingestionRunId}` as const

/** The parts of other modules in erasing a person. */
const ERASURE = { endMembership: endAccessOfPerson, eraseNotices }

/** Every address that only the pages use. Only signed-in people can call them; API keys are rejected. */
export const ui: readonly Route[] = [
  openRoute('GET', '/ui/start', getStart),
  openRoute('POST', '/ui/set-up', setUpStore),
  openRoute('POST', '/ui/sign-in', users.signIn),
  openRoute('GET', '/ui/sign-in/options', providerSignIn.getSignInOptions),
  openRoute('POST', '/ui/sign-in/provider', providerSignIn.startProviderSignIn),
  openRoute('POST', '/ui/sign-in/provider/finish', providerSignIn.finishProviderSignIn),
  openRoute('POST', '/ui/invitations/look', invitations.lookAtInvitation),
  openRoute('POST', '/ui/invitations/accept', invitations.acceptInvitation),
  openRoute('POST', '/ui/password-reset/look', resets.lookAtPasswordReset),
  openRoute('POST', '/ui/password-reset', resets.resetPassword),
  openRoute('POST', '/ui/unsubscribe/preview', notificationMails.previewUnsubscribe),
  openRoute('POST', '/ui/unsubscribe', notificationMails.postUnsubscribe),

  personRoute('GET', '/ui/session', users.getSession),
  personRoute('POST', '/ui/sign-out', users.signOut),
  personRoute('POST', '/ui/sign-out-everywhere', users.signOutEverywhere),
  personRoute('GET', '/ui/sessions', sessions.listSessions),
  personRoute('DELETE', '/ui/sessions', sessions.endOtherSessions),
  personRoute('DELETE', '/ui/sessions/{id}', sessions.endSession),
  personRoute('PUT', '/ui/profile', users.putProfile),
  personRoute('POST', '/ui/password', users.changePassword),

  route('GET', '/ui/members', members.getMembers),
  route('PUT', '/ui/members/{userId}', members.putMember),
  route('DELETE', '/ui/members/{userId}', members.newDeleteMember(endAccessOfPerson)),
  route('GET', '/ui/members/{userId}/sessions', sessions.listMemberSessions),
  route('DELETE', '/ui/members/{userId}/sessions/{id}', sessions.endMemberSession),
  route('POST', '/ui/members/{userId}/password-reset', resets.createPasswordReset),
  route('GET', '/ui/members/{userId}/erasure', getErasure),
  route('POST', '/ui/members/{userId}/erasure', newPostErasure(ERASURE)),
  route('GET', '/ui/invitations', invitations.getInvitations),
  route('POST', '/ui/invitations', invitations.createInvitation),
  route('DELETE', '/ui/invitations/{id}', invitations.deleteInvitation),
  route('GET', '/ui/identity-providers', providers.getProviders),
  route('POST', '/ui/identity-providers', providers.postProvider),
  route('POST', '/ui/identity-providers/test', providers.testIdentityProvider),
  route('PUT', '/ui/identity-providers/{id}', providers.putProvider),
  route('DELETE', '/ui/identity-providers/{id}', providers.deleteProvider),
  route('POST', '/ui/identity-providers/{id}/try', providerSignIn.tryProviderSignIn),
  route('GET', '/ui/provider-identities', identities.getOwnIdentities),
  route('POST', '/ui/provider-identities/{id}', identities.linkOwnIdentity),
  route('POST', '/ui/provider-identities/{id}/confirm', identities.confirmOwnIdentity),
  route('DELETE', '/ui/provider-identities/{id}', identities.unlinkOwnIdentity),
  route('GET', '/ui/mail-domains', mailDomains.getDomains),
  route('POST', '/ui/mail-domains', mailDomains.postDomain),
  route('POST', '/ui/mail-domains/{domain}/check', mailDomains.checkDomain),
  route('DELETE', '/ui/mail-domains/{domain}', mailDomains.deleteDomain),
  route('GET', '/ui/sign-in-rule', getSignInRule),
  route('PUT', '/ui/sign-in-rule', putSignInRule),
  route('PUT', '/ui/organization', organizations.putOrganization),
  route('POST', '/ui/organizations', organizations.createOrganization),

  route('GET', '/ui/directory', directory.getDirectoryState),
  route('POST', '/ui/directory/keys', directory.postDirectoryKey),
  route('DELETE', '/ui/directory/keys/{id}', directory.removeDirectoryKey),

  route('GET', '/ui/sources', listSources),
  route('POST', '/ui/integrations', integrationPages.createIntegration),
  route('POST', '/ui/integrations/test', integrationPages.testDraft),
  route('POST', '/ui/integrations/scopes', integrationPages.previewDraft),
  route('POST', '/ui/integrations/schedule', integrationPages.explainSchedule),
  route('GET', '/ui/integrations/{externalId}', integrationPages.getIntegrationForm),
  route('PUT', '/ui/integrations/{externalId}', integrationPages.configureIntegration),
  route('DELETE', '/ui/integrations/{externalId}', integrationPages.deleteIntegration),
  route('POST', '/ui/integrations/{externalId}/enable', integrationPages.setEnabledTo(true)),
  route('POST', '/ui/integrations/{externalId}/disable', integrationPages.setEnabledTo(false)),
  route('POST', '/ui/integrations/{externalId}/test', integrationPages.testStored),
  route('POST', '/ui/integrations/{externalId}/scopes', integrationPages.previewStored),

  route('POST', `${INTEGRATION_PAGE}/run`, runPages.startRun),
  route('GET', `${RUN_PAGE}/scopes`, runPages.listScopes),
  route('GET', `${RUN_PAGE}/changes`, runPages.listChanges),
  route('GET', `${RUN_PAGE}/log`, runPages.listLog),
  route('POST', `${RUN_PAGE}/undo`, runPages.undo),
  route('POST', `${RUN_PAGE}/confirm`, runPages.confirm),
  route('POST', `${RUN_PAGE}/reject`, runPages.reject),

  route('GET', '/ui/datacontracts/{id}/test-results', getContractTests),
  route('GET', '/ui/datacontracts/{id}/server-sources', getServerSources),
  route('GET', '/ui/dataproducts/{id}/test-results', getProductTests),
  route('GET', '/ui/tagged-assets', tagPages.getTaggedAssets),
  route('POST', '/ui/tags/rename', tagPages.postTagRenaming),

  route('GET', '/ui/search-synonyms', getSynonyms),
  route('PUT', '/ui/search-synonyms', putSynonyms),
  route('GET', '/ui/team-roles', getTeamRoleUse),
  route('GET', '/ui/mapped-groups', getMappedGroups),

  route('GET', '/ui/definitions/uses', getDefinitionUses),
  route('GET', '/ui/deprecations', getDeprecations),

  route('GET', '/ui/notifications', notifications.getNotifications),
  route('GET', '/ui/notifications/unread', notifications.getUnread),
  route('POST', '/ui/notifications/mark', notifications.markNotifications),
  route('GET', '/ui/notification-settings', notifications.getSettings),
  route('PUT', '/ui/notification-settings', notifications.putSetting),
  route('GET', CHANNEL_NOTIFICATIONS, notifications.getChannelSettings),
  route('PUT', CHANNEL_NOTIFICATIONS, notifications.putChannelSetting),

  route('GET', '/ui/follow', follows.getFollow),
  route('PUT', '/ui/follow', follows.putFollow),
  route('DELETE', '/ui/follow', follows.deleteFollow),
  route('GET', '/ui/follows', follows.listFollows),

  route('GET', '/ui/access', agreementPages.listAgreementPage),
  route('GET', '/ui/access/open-requests', agreementPages.countOpenRequests),
  route('GET', '/ui/access/summaries', agreementPages.listAccessSummaries),
  route('GET', '/ui/access/port', agreementPages.getRequestablePort),
  route('GET', '/ui/access/{id}', agreementPages.getAgreementDetails),
  route('PUT', '/ui/access/{id}/terms', agreementPages.putAgreementTerms),
  route('POST', '/ui/access-requests', agreementPages.postAccessRequests),
  route('POST', '/ui/access-decisions', agreementPages.postAccessDecisions),

  route('GET', '/ui/home', getHome),
  route('GET', '/ui/first-steps', getFirstSteps),
  route('GET', '/ui/activity', getActivity),
  route('GET', '/ui/activity/changes', getActivityChanges),
  route('GET', '/ui/activity/export', exportActivity),
  route('GET', '/ui/activity/actors', getActivityActors),
  route('GET', '/ui/domains', getDomains),
  route('GET', '/ui/domains/products', getDomainProducts),
  route('GET', '/ui/example-data', getPortExamples),
  route('GET', '/ui/notification-digest', notificationMails.getDigestSetting),
  route('PUT', '/ui/notification-digest', notificationMails.putDigestSetting),
  route('GET', '/ui/principals', listPrincipals),
  route('GET', '/ui/helpers', getHelpers),
  route('POST', '/ui/teams/{id}/notification-channels/{channelId}/test', postChannelTest),
  route('GET', '/ui/teams/{id}/channel-deliveries', listChannelDeliveries),
  route('GET', '/ui/about', getAbout),
  route('GET', '/ui/health', getHealth),
  route('POST', '/ui/test-mail', sendTestMail),
  route('GET', '/ui/event-types', listEventTypes),
  route('GET', '/ui/api-keys', listKeys),
  route('POST', '/ui/api-keys', createAnyKey),
  route('DELETE', '/ui/api-keys/{organizationApiKeyId}', deleteAnyKey),
  // First those with a word in the place of an id.
  route('GET', '/ui/assets/roots', listAssetRoots),
  route('GET', '/ui/assets/children', listAssetChildren),
  route('GET', '/ui/assets/{id}', getAssetPage),
  route('GET', '/ui/assets/{id}/promises', getAssetPromises),
  route('PUT', '/ui/assets/{id}/annotation', assetPages.putAnnotation),
  route('POST', '/ui/assets/{id}/contract', assetPages.draftContract),
]
