import type { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { requirePermission } from '../../requests/http/missing-permission.ts'
import { describeError } from '../../requests/http/openapi.ts'
import {
  channelSettingForm,
  channelSettings,
  markForm,
  notificationPage,
  notificationQuery,
  notificationSettings,
  settingForm,
  unreadCount,
} from './notification.ts'
import * as service from './service.ts'

/** `GET /ui/notifications`: the notifications of the caller. */
export const getNotifications: Endpoint<never, z.infer<typeof notificationQuery>> = {
  operation: 'getNotifications',
  summary: 'List your notifications',
  description: 'Those of the last 90 days, at most 1000.',
  lane: 'scan',
  permission: 'a session',
  query: notificationQuery,
  answers: { 200: { description: 'At most 50, the newest first', schema: notificationPage } },
  async handle({ services, caller, query }) {
    const page = await service.listNotifications(services.db, caller, query)
    return jsonAnswer(200, notificationPage, page)
  },
}

/** `GET /ui/notifications/unread`: the number of unread notifications. */
export const getUnread: Endpoint = {
  operation: 'countUnreadNotifications',
  summary: 'Count your unread notifications',
  lane: 'point',
  permission: 'a session',
  answers: { 200: { description: 'The number', schema: unreadCount } },
  async handle({ services, caller }) {
    const count = await service.countUnread(services.db, caller)
    return jsonAnswer(200, unreadCount, { count })
  },
}

/** `POST /ui/notifications/mark`: marks notifications as read or unread. */
export const markNotifications: Endpoint = {
  operation: 'markNotifications',
  summary: 'Mark notifications as read or unread',
  permission: 'a session',
  body: formBody(markForm, 'Which ones'),
  answers: {
    200: { description: 'The number of unread notifications', schema: unreadCount },
    422: describeError('Neither or both of ids and upTo, or too many ids'),
  },
  async handle({ services, caller, body }) {
    await service.markNotifications(services, caller, readForm(body, markForm))
    const count = await service.countUnread(services.db, caller)
    return jsonAnswer(200, unreadCount, { count })
  },
}

/** `GET /ui/notification-settings`: what the caller gets. */
export const getSettings: Endpoint = {
  operation: 'getNotificationSettings',
  summary: 'Get which notifications you get, and how',
  lane: 'point',
  permission: 'a session',
  answers: { 200: { description: 'A row for each kind', schema: notificationSettings } },
  async handle({ services, caller }) {
    return jsonAnswer(200, notificationSettings, await service.getSettings(services, caller))
  },
}

/** `PUT /ui/notification-settings`: changes what the caller gets of a kind. */
export const putSetting: Endpoint = {
  operation: 'putNotificationSetting',
  summary: 'Change how you get a kind of notification',
  permission: 'a session',
  body: formBody(settingForm, 'The kind, and how to get it'),
  answers: {
    204: { description: 'It applies to what happens from now on' },
    422: describeError('An unknown kind'),
  },
  async handle({ services, caller, body }) {
    await service.putSetting(services.db, caller, readForm(body, settingForm))
    return { status: 204 }
  },
}

const TEAM_EDITORS = { needs: ['TEAM_EDIT'], on: 'the team' } as const
const UNKNOWN_CHANNEL = describeError('No such channel')

/** `GET /ui/teams/{id}/channels/{channelId}/notifications`: what a channel gets. */
export const getChannelSettings: Endpoint<'id' | 'channelId'> = {
  operation: 'getChannelNotificationSettings',
  summary: 'Get which notifications a channel of a team gets',
  permission: TEAM_EDITORS,
  answers: {
    200: { description: 'A row for each kind', schema: channelSettings },
    404: UNKNOWN_CHANNEL,
  },
  async handle({ services, caller, params: { id, channelId } }) {
    const found = await service.getChannelSettings(services.db, caller, id, channelId)
    return jsonAnswer(200, channelSettings, found)
  },
}

/** `PUT /ui/teams/{id}/channels/{channelId}/notifications`: changes whether a channel gets a kind. */
export const putChannelSetting: Endpoint<'id' | 'channelId'> = {
  operation: 'putChannelNotificationSetting',
  summary: 'Change whether a channel of a team gets a kind of notification',
  permission: TEAM_EDITORS,
  requires: ({ caller, params }) => requirePermission(caller, 'TEAM_EDIT', params.id),
  body: formBody(channelSettingForm, 'The kind, and whether the channel gets it'),
  answers: {
    204: { description: 'It applies to what happens from now on' },
    404: UNKNOWN_CHANNEL,
    422: describeError('An unknown kind'),
  },
  async handle({ services, caller, params: { id: team, channelId: channel }, body }) {
    const setting = readForm(body, channelSettingForm)
    await service.putChannelSetting(services.db, caller, { team, channel, ...setting })
    return { status: 204 }
  },
}
