/** What users add under `settings['owned-spawn']`. */
export interface SpawnSettings {
  apis?: readonly unknown[];
}
