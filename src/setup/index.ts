/**
 * Brings toolcrib into the hosts of a machine and out again: finds their config files, takes over the servers in them, and puts
 * one entry in their place, with a backup of every file that is changed. Starts nothing. Imports `config`, `telemetry`, `errors`
 * and `model`.
 */
export { isToolcribEntry } from './adopt-server.ts';
export type { Check } from './doctor/check.ts';
export { checkContext } from './doctor/context-check.ts';
export { checkHosts } from './doctor/host-check.ts';
export { checkServer } from './doctor/server-check.ts';
export { restoreFile } from './file-change.ts';
export { type HostConfig, readHostConfig } from './host-config.ts';
export { type HostId, hostFileAt, profileOf } from './hosts.ts';
export { applyImport, findHostConfigs, type ImportCandidate, type ImportPlan, planImport } from './import-servers.ts';
export { type InstallReport, installFile, installHost, uninstallHost } from './install-host.ts';
export { createConfig } from './own-config.ts';
export { toolcribCommand } from './toolcrib-command.ts';
