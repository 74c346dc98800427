#pragma once

#include <memory>
#include <vector>

#include "app/session/disk_steps.h"
#include "app/session/training_run.h"

namespace glassformer::app {

/// The trainings on screen together, one of which is active. Their timelines share the space evenly: in memory
/// most_timelines_bytes, with at most most_timeline_bytes for one run, and on disk what DiskSteps allows. Not
/// thread-safe.
class RunList {
public:
    explicit RunList(CpuBackend& backend) : backend_(backend) {}

    /// Sets the folder for runs that are saved nowhere; empty: none.
    void recover_in(const std::filesystem::path& recovery) { recovery_ = recovery; }
    /// Removes all runs but those set aside. Their data on disk stays.
    void clear();
    /// Deletes the recovery folders of all unsaved runs but those set aside.
    void drop_recoveries();

    /// Sets all runs aside until bring_back(), beside those already set aside.
    void set_aside();
    /// Brings the runs set aside back, beside the current ones; none of them becomes active.
    void bring_back();
    bool any_aside() const { return !aside_.empty(); }
    /// Returns the id of the run that was active when the runs were set aside.
    int worked_aside() const { return worked_aside_; }
    std::vector<std::shared_ptr<const RunInfo>> infos_aside();
    /// Adds a run in a colour of its own and makes it the active one. Throws Error, changing nothing, if its trainer
    /// cannot be made.
    TrainingRun& add(std::unique_ptr<TrainingRun> run);
    /// Returns the id of the next run; ids are never reused.
    int next_id() const { return next_id_; }

    /// The active run; null if there is none.
    TrainingRun* current() { return current_; }
    /// Throws Error if no run has this id.
    TrainingRun& at(int id);
    /// Like at(), but also finds runs set aside.
    TrainingRun& anywhere(int id);
    TrainingRun& choose(int id);
    /// Removes a run; if it was active, another becomes active. Throws Error for the last run, and as at() does.
    void remove(int id);

    /// Sets where the timelines of all present and future runs put what does not fit in memory. Throws Error, changing
    /// nothing, if that folder cannot be made.
    void keep_on_disk(const DiskSteps& steps);
    const DiskSteps& disk_steps() const { return disk_steps_; }

    /// Returns the source of that world if a run has it from the user's own file, preferring the active run; otherwise
    /// null.
    std::shared_ptr<const WorldSource> source_of(const std::string& world) const;

    std::vector<std::shared_ptr<const RunInfo>> infos();
    /// Tells the other runs that the active run starts over.
    void current_began_anew();

private:
    bool taken(int colour) const;
    /// Returns the first colour that no run has.
    int free_colour() const;
    /// Gives each timeline an equal share of the total.
    void share(const DiskSteps& steps);
    /// Shares again after the list of runs changed. If the disk refuses, notes it with the current run.
    void share_again();

    CpuBackend& backend_;
    std::filesystem::path recovery_;
    std::vector<std::unique_ptr<TrainingRun>> runs_, aside_;
    TrainingRun* current_ = nullptr;
    int worked_aside_ = -1;
    int next_id_ = 0;
    DiskSteps disk_steps_;
};

}  // namespace glassformer::app
