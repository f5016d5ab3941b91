import { z } from '@hono/zod-openapi'
import { getSetting } from '../../../formats/settings/lookup.ts'
import {
  describeRefusal,
  describeSetting,
  UNKNOWN_SETTING,
  type SettingDocument,
} from '../../../formats/settings/setting.ts'

/** Describes a setting as the OpenAPI document shows it. */
export function settingText(document: SettingDocument, member: string): { description: string } {
  return { description: describeSetting(getSetting(document, member)) }
}

/** Returns the schema of a setting that is refused: only null is accepted. */
export function refusedSetting(document: SettingDocument, member: string) {
  const setting = getSetting(document, member)
  return z
    .string()
    .nullable()
    .default(null)
    .refine((value) => value === null, describeRefusal(setting))
    .openapi(settingText(document, member))
}

/**
 * Returns the schema of an object of settings. It refuses members that it does not know, because one might be a rule;
 * with the value null, which switches nothing on, they are kept.
 */
export function settingsObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject(shape).superRefine((settings, context) => {
    for (const [name, value] of Object.entries(settings)) {
      if (Object.hasOwn(shape, name) || value === null) continue
      context.addIssue({ code: 'custom', path: [name], message: UNKNOWN_SETTING })
    }
  })
}
