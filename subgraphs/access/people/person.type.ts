// The graph's view of people: who asks, what it may do and how it likes to see things; and the people of an installation.
import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import { NodeType } from '../../shared/graph/node.type';
import { ConnectionFields } from '../../shared/graph/page.type';
import { densities, type PersonStatus, type Preferences, personStatuses, themes } from './person';

export const PersonStatuses = graphEnum(personStatuses, {
  name: 'PersonStatus',
  description: 'Whether a person may sign in.',
  values: {
    ACTIVE: 'It may, as long as its groups at the provider say so.',
    DISABLED: 'It may not, and has no session.',
  },
});

export const Themes = graphEnum(themes, {
  name: 'Theme',
  description: 'Light or dark.',
  values: { SYSTEM: 'As the device says.', LIGHT: 'Dark on light.', DARK: 'Light on dark.' },
});

export const Densities = graphEnum(densities, {
  name: 'Density',
  description: 'How much stands on a screen.',
  values: { COMFORTABLE: 'With air between the lines.', COMPACT: 'As many lines as can be read.' },
});

export const ViewerKinds = graphEnum(['PERSON', 'CLIENT'] as const, {
  name: 'ViewerKind',
  description: 'What kind of caller asks.',
  values: { PERSON: 'Somebody who signed in.', CLIENT: 'A program with an access token.' },
});

export const ViewerEnvironments = graphEnum(['SANDBOX', 'PRODUCTION'] as const, {
  name: 'ViewerEnvironment',
  description: 'Whether what a caller sees is played or real.',
  values: {
    SANDBOX: 'Played: no money moves, and the clock can be moved.',
    PRODUCTION: 'Real money moves, by the real time.',
  },
});

@ObjectType('Account', { simpleResolvers: true })
@Directive('@key(fields: "accountId", resolvable: false)')
export class AccountStub {
  @Field(() => ID) accountId!: string;
}

@ObjectType('Preferences', { simpleResolvers: true, description: 'How a person wants to see things.' })
export class PreferencesType {
  @Field(() => Themes, { description: 'Light, dark, or as the device says.' }) theme!: Preferences['theme'];
  @Field(() => Densities, { description: 'How much stands on a screen.' }) density!: Preferences['density'];
  @Field(() => String, { nullable: true, description: 'Language tag, BCP 47; null: as the browser says.' })
  locale!: string | null;
  @Field(() => String, { nullable: true, description: 'Zone of the IANA list; null: as the browser says.' })
  timeZone!: string | null;
}

@InputType('PreferencesInput', { description: 'Settings to change; what is absent stays as it is.' })
export class PreferencesInput {
  @Field(() => Themes, { nullable: true, description: 'Light, dark, or as the device says.' })
  theme?: Preferences['theme'] | null;
  @Field(() => Densities, { nullable: true, description: 'How much stands on a screen.' })
  density?: Preferences['density'] | null;
  @Field(() => String, { nullable: true, description: 'Language tag, BCP 47; null: as the browser says.' })
  locale?: string | null;
  @Field(() => String, { nullable: true, description: 'Zone of the IANA list; null: as the browser says.' })
  timeZone?: string | null;
}

@ObjectType('SavedView', { simpleResolvers: true, description: 'A screen with its filters, kept under a name.' })
export class SavedViewType {
  @Field(() => ID, { description: 'Names the view wherever it is asked for.' }) viewId!: string;
  @Field(() => String, { description: 'The screen that it is a view of.' }) screen!: string;
  @Field(() => String, { description: 'What people call it.' }) name!: string;
  @Field(() => String, { description: "What the screen shows, in the screen's own words." }) query!: string;
  @Field(() => Boolean, { description: 'Whether colleagues see it, too.' }) isShared!: boolean;
  @Field(() => Boolean, { description: 'Whether it is of whoever asks, who alone may change it.' }) isOwn!: boolean;
  @Field(() => String, { description: 'Name of the person whose view it is.' }) ownerName!: string;
  @Field(() => Date, { description: 'When it was last changed, UTC.' }) updatedAt!: Date;
}

@InputType('SavedViewInput', { description: 'A view to keep.' })
export class SavedViewInput {
  @Field(() => ID, { nullable: true, description: 'A view of your own to change; absent: a new one.' })
  viewId?: string | null;
  @Field(() => String, { description: 'The screen that it is a view of.' }) screen!: string;
  @Field(() => String, { description: 'What people call it.' }) name!: string;
  @Field(() => String, { description: "What the screen shows, in the screen's own words." }) query!: string;
  @Field(() => Boolean, { defaultValue: false, description: 'Whether colleagues see it, too.' }) isShared!: boolean;
}

@ObjectType('Person', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'Somebody who signs in by the identity provider.',
})
@Directive('@key(fields: "personId")')
export class PersonType {
  @Field(() => ID, { description: 'Names the person wherever it is asked for.' }) personId!: string;
  @Field(() => String, { description: 'What people call the person.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'As the provider told it.' }) email!: string | null;
  @Field(() => PersonStatuses, { description: 'Whether the person may sign in.' }) status!: PersonStatus;
  @Field(() => Date, { description: 'When something was last asked in its name, UTC.' }) lastSeenAt!: Date;
  @Field(() => Date, { description: 'When the person first signed in, UTC.' }) createdAt!: Date;
}

@ObjectType('PersonEdge', { simpleResolvers: true, description: 'One person in a list, with its cursor.' })
export class PersonEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => PersonType, { description: 'The item itself, at this place of the list.' }) node!: PersonType;
}

@ObjectType('PersonConnection', { simpleResolvers: true, description: 'One page of people.' })
export class PersonConnectionType extends ConnectionFields {
  @Field(() => [PersonEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: PersonEdgeType[];
}

@ObjectType('Viewer', { description: 'Whoever asks: a person or a program.' })
export class ViewerType {}
