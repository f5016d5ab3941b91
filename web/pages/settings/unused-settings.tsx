import type { Setting, SettingDocument } from '../../../formats/settings/setting.ts'
import { listSettings } from '../../../formats/settings/lookup.ts'
import { Facts, Panel } from '../../parts/page.tsx'

interface UnusedSettingsProps {
  document: SettingDocument
  /** Returns the text of a setting's value; absent = its value is not shown. */
  describe?: (setting: Setting) => string
}

/** The settings of a document that change nothing in Portbook: those of other clients, and those that are refused. */
export function UnusedSettings({ document, describe }: UnusedSettingsProps) {
  const settings = listSettings(document)
  const stored = settings.filter(({ effect }) => effect === 'stored')
  const refused = settings.filter(({ effect }) => effect === 'refused')
  return (
    <>
      {stored.length > 0 && (
        <Panel title="For other clients">
          <div className="grid gap-3">
            <p className="text-muted">
              Clients of the API store these settings here and read them. They change nothing in
              Portbook.
            </p>
            <Facts
              facts={stored.map((setting) => [
                setting.title,
                <span key={setting.member}>
                  {describe?.(setting)} <span className="text-muted">{setting.description}</span>
                </span>,
              ])}
            />
          </div>
        </Panel>
      )}
      {refused.length > 0 && (
        <Panel title="Not supported yet">
          <div className="grid gap-3">
            <p className="text-muted">Portbook refuses these rules instead of ignoring them.</p>
            <Facts
              facts={refused.map(({ title, description, member }) => [
                title,
                <span key={member} className="text-muted">
                  {description}
                </span>,
              ])}
            />
          </div>
        </Panel>
      )}
    </>
  )
}
