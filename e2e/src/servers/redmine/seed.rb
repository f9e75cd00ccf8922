# frozen_string_literal: true

# Fills an empty, migrated Redmine database with a small company's work.
#
# Run by `rails runner` in UTC. The data are a function of this file and of accounts.json alone:
# clocks are set, nothing is random, so that every machine gets the same ids, dates and keys.

require "json"
require "digest"
require "active_support/testing/time_helpers"

ACCOUNTS = JSON.parse(File.read(File.join(__dir__, "accounts.json")))
SUBJECTS = %w[Gate Crane Invoice Label Mooring Pump Report Scale Ticket Winch].freeze
PROBLEMS = [
  "does not open after an update", "shows yesterday's number", "needs a second confirmation",
  "is slow on the first call", "loses its settings", "prints an empty page", "wants a dark theme"
].freeze
DAY_ONE = Time.utc(2026, 1, 5, 8, 0, 0)
# A day in the middle of the data: states, dates and hours are told apart by it.
MID = Date.new(2026, 3, 2)

class Seed
  include ActiveSupport::Testing::TimeHelpers

  # Sets the clock for the block; calls nest.
  def at(time)
    before = Time.now
    travel_to(time)
    yield
  ensure
    travel_to(before)
  end

  def as(user)
    previous = User.current
    User.current = user
    yield
  ensure
    User.current = previous
  end

  def settings
    Setting.rest_api_enabled = "1"
    Setting.login_required = "1"
    Setting.notified_events = []
    Setting.default_language = "en"
    Setting.host_name = "127.0.0.1"
  end

  # The key of an account is the SHA-1 of its login, so that the harness knows it without asking.
  def give_key(user)
    token = Token.create!(user: user, action: "api")
    token.update_columns(value: Digest::SHA1.hexdigest("redmine key of #{user.login}"))
  end

  def users
    ACCOUNTS.map do |row|
      user = User.find_by(login: row["login"]) || User.new(login: row["login"])
      user.assign_attributes(
        firstname: row["firstname"], lastname: row["lastname"], mail: "#{row['login']}@harbour.example",
        language: "en", must_change_passwd: false
      )
      user.password = user.password_confirmation = "not a secret 1" if user.new_record?
      user.save!
      user.update_columns(created_on: Time.now)
      user.pref.update!(time_zone: "UTC", hide_mail: row["login"] == "eva")
      give_key(user)
      user
    end
  end

  def project(name, identifier, parent: nil, is_public: true)
    made = Project.new(
      name: name, identifier: identifier, is_public: is_public, trackers: Tracker.sorted.to_a,
      description: "All work on the #{name.downcase}.", homepage: "https://#{identifier}.harbour.example"
    )
    made.enabled_module_names = %w[issue_tracking time_tracking wiki]
    made.save!
    made.set_parent!(parent) if parent
    made
  end

  def member(project, user, *roles)
    Member.create!(project: project, principal: user, roles: Role.where(name: roles).to_a)
  end

  def status(name)
    IssueStatus.find_by!(name: name)
  end

  # One issue of a project: everything about it follows from its running number.
  def issue(project, number, people, custom)
    made = Issue.new(
      project: project, tracker: Tracker.sorted[number % 3], author: people[number % people.size],
      subject: "#{SUBJECTS[number % 10]} #{PROBLEMS[number % 7]}", status: status("New"),
      priority: IssuePriority.order(:position)[number % 11 == 0 ? 3 : number % 3],
      description: "Seen by #{people[number % people.size].firstname} at berth #{number % 9}.\n\n* step one\n* step two",
      start_date: MID - 40 + (number % 60), estimated_hours: number % 4 == 0 ? nil : (number % 8) + 0.5,
      is_private: number % 37 == 0
    )
    made.due_date = made.start_date + 7 + (number % 21) unless number % 3 == 0
    made.assigned_to = people[(number * 5 + 1) % people.size] unless number % 5 == 0
    made.category = project.issue_categories.order(:id)[number % 2] unless number % 4 == 3
    made.fixed_version = project.versions.order(:id).to_a[number % 3]
    made.fixed_version = nil unless made.fixed_version&.open?
    made.custom_field_values = { custom.id.to_s => %w[minor major critical][number % 3] } if number % 2 == 0
    made.save!
    made
  end

  # Notes and changes of state: every third issue is closed, every fourth talked about.
  def history(issue, number, people)
    change(issue, people[(number + 1) % people.size], "On it.", status: status("In Progress"), done_ratio: 30) if number % 3 != 1
    change(issue, people[(number + 2) % people.size], "Seen again, see berth #{number % 5}.", {}) if number % 4 == 0
    closed = status(number % 12 == 2 ? "Rejected" : "Closed")
    change(issue, people[(number + 3) % people.size], "", status: closed, done_ratio: 100) if number % 3 == 2
  end

  def change(issue, user, notes, attributes)
    at(Time.now + 3.hours) do
      fresh = Issue.find(issue.id)
      fresh.init_journal(user, notes)
      fresh.assign_attributes(attributes)
      fresh.save!
    end
  end

  def spend(issue, number, people, activities)
    return unless number % 2 == 0

    TimeEntry.create!(
      project: issue.project, issue: issue, user: people[number % people.size], author: people[number % people.size],
      activity: activities[number / 2 % activities.size], hours: ((number % 6) + 1) * 0.25,
      spent_on: MID - 20 + (number % 28), comments: number % 5 == 0 ? "" : "worked on #{issue.subject.split.first.downcase}"
    )
  end

  def adopt(parent, children)
    children.each { |child| Issue.find(child.id).update!(parent_issue_id: parent.id) }
  end

  def link(from, to, type)
    IssueRelation.create!(issue_from: from, issue_to: to, relation_type: type)
  end

  def fill(project, count, offset, people, custom, activities)
    made = (0...count).map do |n|
      number = offset + n
      start = DAY_ONE + (number * 11).hours
      created = at(start) { as(people[number % people.size]) { issue(project, number, people, custom) } }
      at(start + 1.hour) { history(created, number, people) }
      at(start + 2.hours) { spend(created, number, people, activities) }
      created
    end
    at(DAY_ONE + 90.days) { as(people[0]) { family(made, people) } }
    made
  end

  # Two open issues of a project have children, open and closed; neighbours are related and watched.
  def family(made, people)
    closed, open = Issue.where(id: made.map(&:id)).order(:id).partition(&:closed?)
    adopt(open[0], [open[2], open[3], closed[0]])
    adopt(open[1], [open[4]])
    link(made[10], made[11], "relates")
    link(made[12], made[13], "blocks")
    link(made[14], made[15], "duplicates")
    made.each_slice(6) { |six| six.first.add_watcher(people[1]) }
    made.each_slice(9) { |nine| nine.first.add_watcher(people[2]) }
  end

  def run
    ActiveRecord::Base.transaction do
      at(DAY_ONE - 1.day) do
        Redmine::DefaultData::Loader.load("en")
        settings
        admin, *people = users
        harbour = project("Harbour", "harbour")
        workshop = project("Workshop", "workshop")
        mobile = project("Workshop Mobile", "workshop-mobile", parent: workshop, is_public: false)
        ann, bjorn, carla, dan, eva, finn = people
        member(harbour, ann, "Manager")
        [bjorn, carla, eva].each { |user| member(harbour, user, "Developer") }
        member(workshop, bjorn, "Manager")
        [ann, dan, finn].each { |user| member(workshop, user, "Developer") }
        member(mobile, dan, "Manager", "Developer")
        [carla, eva].each { |user| member(mobile, user, "Reporter") }
        [harbour, workshop, mobile].each do |owner|
          IssueCategory.create!(project: owner, name: "Hardware", assigned_to: owner.members.first.principal)
          IssueCategory.create!(project: owner, name: "Software")
        end
        Version.create!(project: harbour, name: "1.0", status: "closed", effective_date: MID - 30, description: "First release")
        Version.create!(project: harbour, name: "1.1", effective_date: MID + 30, description: "Repairs")
        Version.create!(project: harbour, name: "2.0", status: "locked")
        Version.create!(project: workshop, name: "Spring", sharing: "descendants", effective_date: MID + 60)
        Version.create!(project: mobile, name: "Beta", effective_date: MID + 10)
        severity = IssueCustomField.create!(
          name: "Severity", field_format: "list", possible_values: %w[minor major critical], is_for_all: true,
          is_filter: true, trackers: Tracker.all.to_a
        )
        activities = TimeEntryActivity.shared.order(:position).to_a
        fill(harbour, 60, 1, [ann, bjorn, carla, eva], severity, activities)
        fill(workshop, 45, 101, [bjorn, ann, dan], severity, activities)
        fill(mobile, 35, 201, [dan, carla, eva], severity, activities)
        hostile = Issue.find(Issue.maximum(:id))
        hostile.update_columns(subject: "Pump | \"quoted\" <b>bold</b>, 100% {x}\tü 🚢")
        IssueQuery.create!(
          name: "Urgent and open", user: admin, visibility: Query::VISIBILITY_PUBLIC,
          filters: { "status_id" => { operator: "o", values: [""] }, "priority_id" => { operator: "=", values: [IssuePriority.find_by!(name: "Urgent").id.to_s] } }
        )
        IssueQuery.create!(
          name: "Workshop closed", user: admin, visibility: Query::VISIBILITY_PUBLIC, project: workshop,
          filters: { "status_id" => { operator: "c", values: [""] } }
        )
        WikiPage.create!(wiki: harbour.wiki, title: "Mooring_rules")
                .then { |page| WikiContent.create!(page: page, author: ann, text: "h1. Mooring rules\n\nTie the pump boat twice.") }
        finn.update!(status: User::STATUS_LOCKED)
      end
    end
  end
end

Seed.new.run
