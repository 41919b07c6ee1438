// An application with its whole life, as the drawer asks for it.
import type { ApplicationLifeQuery } from './queries';

export type ShownApplication = NonNullable<ApplicationLifeQuery['onboardingApplication']>;
