/** Commands for the organization, its settings, keys, connections, schemas and notification channels. */

import type { CommandRow } from '../command-rows.ts'

const ORGANIZATION: readonly CommandRow[] = [
  {
    command: 'organization get',
    prints: [/vanityUrl │ \S+/, /fullName │ Organization \S+/, /host │ \S+/],
  },
  {
    command: 'organization members list',
    prints: [/Email ┃ User ID ┃ Role/, /│ Owner/, /│ Member/],
  },
  {
    command: 'organization members list',
    args: ['--page', '0', '-o', 'json'],
    keeps: { member: /"emailAddress": "(owner-[^"]+)"/ },
  },
  { command: 'organization members get', args: ['$member'], prints: ['$member', /│ Owner/] },
  {
    command: 'organization members get',
    args: ['nobody@example.test'],
    fails: [1, /HTTP 404 from/],
  },
]

const CUSTOMIZATION = {
  dataProduct: { customFilters: [{ displayName: 'Region', customField: 'region' }] },
  dataContract: {},
}

const SCIM_MAPPING = {
  scimGroupMappings: [{ scimGroup: 'owners', type: 'organizationOwner' }],
}

const EMAIL_TEMPLATES = {
  templates: {
    invitation: {
      enabled: true,
      languages: { en: { subject: 'Welcome', body: 'Open {{link}}', customized: true } },
    },
    digest: { enabled: false },
  },
}

const SETTINGS: readonly CommandRow[] = [
  { command: 'settings get-customization', args: ['-o', 'json'], prints: [/^\{/] },
  {
    command: 'settings put-customization',
    input: CUSTOMIZATION,
    prints: ['Customization updated.'],
    shows: ['/api/settings/customization', CUSTOMIZATION],
  },
  { command: 'settings get-customization', prints: [/displayName: Region|"displayName"/] },
  {
    command: 'settings get-customization',
    args: ['-o', 'json'],
    prints: [/"displayName": "Region"/],
  },
  { command: 'settings get-scim-mapping' },
  {
    command: 'settings put-scim-mapping',
    input: SCIM_MAPPING,
    prints: ['SCIM mapping updated.'],
    shows: ['/api/settings/scim-mapping', SCIM_MAPPING],
  },
  { command: 'settings get-scim-mapping', args: ['-o', 'json'], prints: [/"scimGroup": "owners"/] },
  { command: 'settings put-scim-mapping', input: { scimGroupMappings: 7 }, fails: [1, /HTTP 422/] },
  { command: 'settings team-roles get', prints: [/mode: default/] },
  {
    command: 'settings team-roles put',
    input: {
      mode: 'custom-team-roles',
      'team-roles': [
        { name: 'Steward', rank: 1, permissions: ['ACCESS_EDIT'] },
        { name: 'Editor', rank: 2, permissions: [] },
        { name: 'Member', rank: 3, permissions: [] },
      ],
    },
    prints: ['Team roles configuration saved (mode: custom-team-roles).'],
  },
  { command: 'settings team-roles get', prints: [/name ┃ rank ┃ permissions/, /Steward │ 1/] },
  {
    command: 'settings team-roles put',
    input: { mode: 'custom-team-roles', 'team-roles': [] },
    fails: [1, /HTTP 409/],
  },
  { command: 'settings team-roles put', input: { mode: 'other' }, fails: [1, /HTTP 400/] },
  {
    command: 'settings team-roles put',
    input: { mode: 'default' },
    prints: ['Team roles configuration saved (mode: default).'],
    shows: ['/api/settings/team-roles', { mode: 'default' }],
  },
  { command: 'settings email-templates get', prints: [/type ┃ enabled ┃ customized/] },
  {
    command: 'settings email-templates put',
    input: EMAIL_TEMPLATES,
    prints: ['Email templates saved (1 customized, 1 disabled).'],
    shows: ['/api/settings/email-templates', EMAIL_TEMPLATES],
  },
]

const KEYS: readonly CommandRow[] = [
  {
    command: 'api-keys create',
    args: ['--scope', 'team', '--team-id', 'a', '--display-name', 'pipeline'],
    prints: [/Key: \S+/],
    keeps: { keyId: /API key created: (\S+)/ },
  },
  {
    command: 'api-keys create',
    args: ['--scope', 'team_read', '--team-id', 'a', '-o', 'json'],
    prints: [/"organizationApiKeyId"/],
  },
  { command: 'api-keys delete', args: ['$keyId'], prints: ["API key '$keyId' deleted."] },
  { command: 'api-keys delete', args: ['$keyId'], fails: [1, /HTTP 404/] },
]

const CONNECTIONS: readonly CommandRow[] = [
  { command: 'connection test', prints: ['Connection successful.'] },
  {
    command: 'connection add',
    args: ['here', '--api-key', '$key', '--host', '$url'],
    prints: [/Fetched organization vanity URL '\S+'/, "Connection 'here' saved."],
  },
  { command: 'connection list', prints: [/Name ┃ Host ┃ Vanity URL/, /here │ \S+ │ [^ │]/] },
  { command: 'connection get', args: ['here'], prints: [/vanity_url │ \S/, /api_key │ \S+\.\.\./] },
  { command: 'connection get', args: ['here', '-o', 'json'], prints: ['"api_key": "$key"'] },
  {
    command: 'connection set-default',
    args: ['here'],
    prints: ["Default connection set to 'here'."],
  },
  { command: 'connection remove', args: ['here'], prints: ["Connection 'here' removed."] },
]

const SCHEMAS: readonly CommandRow[] = [
  { command: 'schemas get', args: ['odcs'], prints: [/"\$schema"/, /DataContract/] },
  { command: 'schemas get', args: ['odps'], prints: [/"\$schema"/, /DataProduct/] },
  { command: 'schemas get', args: ['odcs', '--version', '3.1.0'], prints: [/"\$schema"/] },
  {
    command: 'schemas get',
    args: ['odps', '--version', '1.0.0', '--custom'],
    prints: [/"\$schema"/],
  },
  { command: 'schemas get', args: ['odcs', '--version', '9.9.9'], fails: [1, /HTTP 404/] },
]

const CHANNEL = {
  id: 'alerts',
  name: 'Alerts',
  type: 'slack',
  endpoint: 'https://hooks.example.test/services/1',
  enabled: true,
}

const CHANNEL_PATH = '/api/teams/a/notification-channels/alerts'

const CHANNELS: readonly CommandRow[] = [
  {
    command: 'teams notifications put',
    args: ['a', 'alerts'],
    input: CHANNEL,
    prints: ["Notification channel 'alerts' saved for team 'a'."],
    shows: [CHANNEL_PATH, CHANNEL],
  },
  { command: 'teams notifications get', args: ['a', 'alerts'], prints: [/"type": "slack"/] },
  {
    command: 'teams notifications delete',
    args: ['a', 'alerts'],
    prints: ["Notification channel 'alerts' deleted for team 'a'."],
    shows: [CHANNEL_PATH, 404],
  },
]

/** The rows of these groups, in their order. */
export const ORGANIZATION_ROWS: readonly CommandRow[] = [
  ...ORGANIZATION,
  ...SETTINGS,
  ...KEYS,
  ...CONNECTIONS,
  ...SCHEMAS,
  ...CHANNELS,
]
